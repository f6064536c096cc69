import Foundation
import Testing

/// A pattern that sources must not contain, except in the rule's own folders and files.
struct HouseRule: Sendable, CustomTestStringConvertible {
  let name: String
  /// A regular expression that matches violations.
  let pattern: String
  let parts: Set<SourceText.Part>
  /// The folders or files of `Sources` that the rule applies to; empty for all of them.
  let scope: [String]
  /// The folders and files that the rule reserves the pattern for.
  let room: [String]
  /// Folders of `Sources`, or names of files in any folder, that may violate the rule, with the reasons.
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

  /// Returns the violations by path, such as `SQLiteAccess/SQL/SQL.swift:12: …`.
  func breaches(in sources: [(path: String, text: SourceText)]) throws -> [String: [String]] {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    var found: [String: [String]] = [:]
    for (path, source) in sources where isInScope(path) {
      let pieces = source.pieces.filter { parts.contains($0.part) }
      // Most files don't match, so one search is enough for them.
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

  /// Returns the entry that permits a source at a path to violate the rule; nil if none does.
  func leave(for path: String) -> String? {
    (room + exceptions.keys).first { path.hasPrefix($0 + "/") || path.hasSuffix("/" + $0) }
  }
}

// Swift's own regular expressions take ten times as long in a debug build.
extension NSRegularExpression {
  /// Whether a text contains a match.
  func matchesPart(of text: String) -> Bool {
    firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
