import Foundation
import TestSupport
import Testing

/// Common errors with their complete messages. The scenarios `wrong-….txt` contain them, and `ScenarioTests` runs these
/// scenarios.
struct WrongInputTests {
  /// A line of a scenario, and its messages on standard error.
  private struct Input {
    var line: String
    var messages: [Substring] = []
    var status: Substring = "0"

    /// The code at the end of a message's first line.
    static func code(of message: Substring) -> Substring? {
      guard
        message.contains("error: ") || message.contains("warning: ")
          || message.contains("note: "),
        message.hasSuffix("]"), let start = message.lastIndex(of: "[")
      else { return nil }
      return message[message.index(after: start)...].dropLast()
    }

    var codes: [Substring] { messages.compactMap(Self.code) }
  }

  private static func inputs(ofFilesThatBegin beginning: String) throws -> [Input] {
    var inputs: [Input] = []
    for file in ScenarioTests.files where file.lastPathComponent.hasPrefix(beginning) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("$ ") {
          inputs.append(Input(line: String(line.dropFirst(2))))
        } else if line.hasPrefix("! "), !inputs.isEmpty {
          inputs[inputs.count - 1].messages.append(line.dropFirst(2))
        } else if line.hasPrefix("= "), !inputs.isEmpty {
          inputs[inputs.count - 1].status = line.dropFirst(2)
        }
      }
    }
    return inputs
  }

  @Test func aHundredWrongInputsHaveTheirWholeMessages() throws {
    let wrong = try Self.inputs(ofFilesThatBegin: "wrong-").filter { !$0.codes.isEmpty }
    #expect(Set(wrong.map(\.line)).count >= 200)
    // A bug of storetool isn't a valid error.
    #expect(wrong.filter { $0.status == "70" }.map(\.line) == [])
  }

  /// Scripts depend on codes. The reference lists the families of codes.
  @Test func everyFamilyOfCodesIsInTheReference() throws {
    let page = try String(contentsOf: ReferenceTests.page, encoding: .utf8)
    let table = page.components(separatedBy: "Codes by subject:").last ?? ""
    let known = Set(
      table.components(separatedBy: "\n## ")[0].split(separator: "\n")
        .filter { $0.hasPrefix("| `") }
        .flatMap { $0.split(separator: "|")[0].split(separator: "`") }
        .map { $0.replacingOccurrences(of: ".…", with: "") })
    let codes = try Self.inputs(ofFilesThatBegin: "").flatMap(\.codes)
    let families = Set(codes.map { String($0.prefix { $0 != "." }) })
    #expect(families.count > 15)
    #expect(families.subtracting(known).sorted() == [], "missing in docs/cli.md")
  }
}
