import Foundation
import TestSupport

/// The Mermaid parser.
enum OtherPrograms {
  static let node = program("node")

  /// The Mermaid parser that `Scripts/mermaid-parser` downloads.
  static let mermaid: URL? = {
    let bundle = BuiltCommand.repository.appending(
      path: ".build/mermaid/mermaid_parser/js/parser.bundle.js")
    return node != nil && FileManager.default.fileExists(atPath: bundle.path) ? bundle : nil
  }()

  static let mermaidAbsence =
    "Mermaid's parser isn't installed; Scripts/mermaid-parser downloads it"

  private static func program(_ name: String) -> String? {
    ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Returns the errors that Mermaid reports about the texts; empty if it accepts all of them.
  static func mistakesByMermaid(in texts: [String]) throws -> String {
    let script = """
      const parse = require('\(mermaid?.path ?? "")');
      const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
      (async () => {
        for (const text of texts) {
          try { await parse(text) } catch (error) { console.error(error.message + '\\n' + text) }
        }
      })();
      """
    let folder = try TemporaryFolder()
    try folder.write(script, to: "parse.js")
    let input = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    let outcome = try run("node \(folder.url.path)/parse.js", input)
    return outcome.status == 0 ? outcome.errors : "status \(outcome.status)\n" + outcome.errors
  }

  private static func run(_ line: String, _ input: String) throws -> BuiltCommand.Result {
    let folder = try TemporaryFolder()
    return try BuiltCommand(in: folder.url).run(line, input: input)
  }
}
