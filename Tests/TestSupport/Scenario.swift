public import Foundation
public import Testing

/// A text file with commands and their output, which is compared with the output of the built program.
///
///     # Lines like this one explain.
///     $ storetool fetch Person --where 'nmae == "x"'
///     ! error: 'Person' has no property 'nmae' [predicate.unknown-key-path]
///     = 66
///
/// The lines after a command are its output, its errors (`! `) and its status if it isn't 0 (`= `).
/// The commands run in a new folder with the project's `Models/`. UUIDs of stores are written as STORE, and times in
/// file names in UTC.
public struct Scenario {
  private let file: URL

  public init(_ file: URL) {
    self.file = file
  }

  /// Runs all commands. A difference is reported line by line. With `GOLDEN=record`, the file is updated.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = try String(contentsOf: file, encoding: .utf8)
    let actual = try play(expected)
    guard actual != expected else { return }
    if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
      try actual.write(to: file, atomically: true, encoding: .utf8)
    }
    Issue.record(
      "\(file.lastPathComponent):\n\(Golden.lineDifference(from: expected, to: actual))",
      sourceLocation: sourceLocation)
  }

  private func play(_ script: String) throws -> String {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: BuiltCommand.repository.appendingPathComponent("Models"),
      to: folder.url.appendingPathComponent("Models"))
    let shell = BuiltCommand(in: folder.url)
    var transcript: [String] = []
    var isOutput = false
    for line in script.components(separatedBy: "\n") {
      if line.hasPrefix("$ ") {
        transcript.append(line)
        transcript += lines(of: try shell.run(String(line.dropFirst(2))), in: folder)
        isOutput = true
      } else if line.hasPrefix("#") || (line.isEmpty && !isOutput) {
        transcript.append(line)
        isOutput = false
      } else if line.isEmpty {
        // The empty line that ends an output.
        transcript.append(line)
        isOutput = false
      }
    }
    return transcript.joined(separator: "\n")
  }

  private func lines(of outcome: BuiltCommand.Result, in folder: TemporaryFolder) -> [String] {
    func split(_ text: String) -> [String] {
      var lines = stable(text, in: folder).components(separatedBy: "\n")
      if lines.last == "" { lines.removeLast() }
      return lines
    }
    // An empty line in the output would be read as its end.
    let output = split(outcome.output).map { $0.isEmpty ? "⏎" : $0 }
    let errors = split(outcome.errors).map { "! \($0)" }
    return output + errors + (outcome.status == 0 ? [] : ["= \(outcome.status)"])
  }

  /// Replaces the parts that differ from run to run.
  private func stable(_ text: String, in folder: TemporaryFolder) -> String {
    text.replacingOccurrences(of: folder.url.path, with: "FOLDER")
      .replacingOccurrences(
        of: "[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}(?=/|$|\\s{2}|\")",
        with: "STORE", options: .regularExpression
      )
      .replacingOccurrences(
        of: "[0-9]{8}T[0-9]{6}Z", with: "UTC", options: .regularExpression
      )
      .replacingOccurrences(
        of: "\"seconds\":[0-9.]+", with: "\"seconds\":0.0", options: .regularExpression)
  }
}
