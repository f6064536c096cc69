package import StoreDiagnostics
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that is generated, and the content that it should have.
package struct GeneratedFile: Sendable {
  package var path: FilePath
  package var text: String

  package init(path: FilePath, text: String) {
    self.path = path
    self.text = text
  }

  /// The current content; nil where the file is missing or can't be read.
  private var found: String? {
    do {
      return String(decoding: try path.contents(), as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// Writes the file unless it has that content already: builds that depend on it stay valid.
  ///
  /// - Parameter overwritesAny: also overwrites a file that doesn't have the mark of a generated one.
  /// - Returns: false where the file was up to date.
  /// - Throws: `GeneratedFileError`
  package func write(overwritesAny: Bool = false) throws(GeneratedFileError) -> Bool {
    if StagedFile.replacesFile(at: path) {
      let found = found
      guard found != text else { return false }
      guard overwritesAny || found.map(Self.isMarked) == true else { throw .foreign(path: path) }
    }
    do throws(FileWriteError) {
      try StagedFile.replace(path, with: Array(text.utf8), makesFolders: true)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    return true
  }

  /// How the file differs from the content that it should have; nil where it doesn't.
  package var difference: Diagnostic? {
    guard let found else {
      return Diagnostic(.error, "generate.missing", "there is no '\(path)'")
    }
    guard found != text else { return nil }
    let old = found.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    return Diagnostic(
      .error, "generate.outdated", "this is not what the model generates",
      at: SourcePlace(file: "\(path)", line: line + 1, column: 1),
      help: [
        "here:      \(line < old.count ? String(old[line]) : "the end of the file")",
        "generated: \(line < new.count ? String(new[line]) : "the end of the file")",
      ])
  }
}

// MARK: The mark

extension GeneratedFile {
  /// How a language writes a comment in one line.
  package enum Comment: Sendable {
    /// HTML, Markdown, SVG.
    case markup
    /// Mermaid.
    case percent
  }

  /// A text with the mark of a generated file in its first line, or after the declaration of XML.
  package static func marked(_ text: String, as comment: Comment) -> String {
    let sentence = "\(GeneratedSource.mark). Do not edit: it is written anew."
    let line =
      switch comment {
      case .markup: "<!-- \(sentence) -->\n"
      case .percent: "%% \(sentence)\n"
      }
    guard text.hasPrefix("<?xml"), let end = text.firstIndex(of: "\n") else { return line + text }
    return text[...end] + line + text[text.index(after: end)...]
  }

  private static let markedLines = 5

  private static func isMarked(_ text: String) -> Bool {
    text.split(
      maxSplits: markedLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .prefix(markedLines).contains { $0.contains(GeneratedSource.mark) }
  }
}

/// Why a generated file can't be written.
package enum GeneratedFileError: DiagnosableError, Hashable {
  case unwritable(path: FilePath, reason: String)
  /// The file that is there was not generated.
  case foreign(path: FilePath)

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unwritable(let path, let reason):
      Diagnostic(
        .error, "generate.unwritable", "'\(path)' can't be written: \(reason)",
        cause: .inputOutput)
    case .foreign(let path):
      Diagnostic(
        .error, "generate.not-generated",
        "'\(path)' exists, and storetool did not generate it", cause: .cannotCreate,
        help: [.model(.overwriteFile)])
    }
  }
}
