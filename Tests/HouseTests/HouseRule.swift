import Foundation
import Testing

/// Something that must not stand in a source, but in its own room.
struct HouseRule: Sendable, CustomTestStringConvertible {
  let name: String
  /// A regular expression of what is forbidden.
  let pattern: String
  let parts: Set<SourceText.Part>
  /// Where the rule holds, folders or files of `Sources`; empty for all of them.
  let scope: [String]
  /// The rule's own room.
  let room: [String]
  /// What may break the rule, and why: a folder of `Sources`, or a file's name wherever it lies.
  let exceptions: [String: String]

  init(
    _ name: String, forbids pattern: String, in parts: Set<SourceText.Part>,
    within scope: [String] = [], room: [String] = [],
    exceptions: [String: String] = [:]
  ) {
    self.name = name
    self.pattern = pattern
    self.parts = parts
    self.scope = scope
    self.room = room
    self.exceptions = exceptions
  }

  var testDescription: String { name }

  /// What breaks the rule, by path: `SQLiteAccess/SQL/SQL.swift:12: …`.
  func breaches(in sources: [(path: String, text: SourceText)]) throws -> [String: [String]] {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    var found: [String: [String]] = [:]
    for (path, source) in sources where isInScope(path) {
      let pieces = source.pieces.filter { parts.contains($0.part) }
      // Most files have no match: one search is enough for them.
      guard expression.matchesPart(of: pieces.map(\.text).joined(separator: "\n")) else { continue }
      for piece in pieces where expression.matchesPart(of: piece.text) {
        let text = piece.text.trimmingCharacters(in: .whitespaces)
        found[path, default: []].append("\(path):\(piece.line): \(text)")
      }
    }
    return found
  }

  private func isInScope(_ path: String) -> Bool {
    scope.isEmpty || scope.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  /// What lets a source at a path break the rule; nil where nothing does.
  func leave(for path: String) -> String? {
    (room + exceptions.keys).first { path.hasPrefix($0 + "/") || path.hasSuffix("/" + $0) }
  }
}

// In a debug build, Swift's own expressions take ten times as long.
extension NSRegularExpression {
  /// Whether a text has a match anywhere.
  func matchesPart(of text: String) -> Bool {
    firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
