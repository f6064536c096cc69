import Foundation
package import StorePredicate

/// `docs/predicates.md`, whose examples the tests run.
package struct ReferencePage {
  private let lines: [String]

  package init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/predicates.md")
    lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// Returns the lines below a heading, up to the next heading.
  package func section(_ heading: String) -> [String] {
    let body = lines.drop { $0 != "## \(heading)" }.dropFirst()
    return Array(body.prefix { !$0.hasPrefix("## ") })
  }

  /// Returns the cells of the table in a section, without its header.
  package func table(in heading: String) -> [[String]] {
    let rows = section(heading).filter { $0.hasPrefix("|") }.dropFirst(2)
    return rows.map { row in
      row.replacingOccurrences(of: "\\|", with: "\u{0}").components(separatedBy: "|")
        .dropFirst().dropLast()
        .map {
          $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
        }
    }
  }

  /// Returns the texts in backticks.
  package static func code(in text: String) -> [String] {
    let parts = text.components(separatedBy: "`")
    return parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
  }

  /// Returns the code of all sections from the first to the last one.
  package func code(from first: String, upTo last: String) -> [String] {
    let body = lines.drop { $0 != "## \(first)" }.prefix { $0 != "## \(last)" }
    // Backticks are paired within a paragraph. Indented blocks don't contain any.
    let text = body.joined(separator: "\n").replacingOccurrences(of: "\\|", with: "|")
    return Self.code(in: text)
  }

  /// Returns the indented JSON objects of a section.
  package func objects(in heading: String) throws -> [EvaluatedValue] {
    try section(heading).filter { $0.hasPrefix("    {") }.map {
      try JSONDecoder().decode(Sample.self, from: Data($0.utf8)).value
    }
  }

  /// Returns a JSON value as a value of an object.
  private struct Sample: Decodable {
    var value: EvaluatedValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let number = try? container.decode(Int64.self) {
        value = .value(.integer(number))
      } else if let text = try? container.decode(String.self) {
        value = .value(.string(text))
      } else if let members = try? container.decode([Sample].self) {
        value = .list(members.map(\.value))
      } else {
        value = .dictionary(try container.decode([String: Sample].self).mapValues(\.value))
      }
    }
  }
}
