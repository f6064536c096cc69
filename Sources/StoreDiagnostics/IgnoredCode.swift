/// The code of findings to ignore, for all versions or for two versions of a model: `migrate.missing-value`,
/// `migrate.missing-value:Todo--Todo 2`.
package struct IgnoredCode: Hashable, Sendable {
  package let code: String
  /// The pair, or nil for all pairs and for findings without one.
  package let pair: VersionPair?

  /// Nil if the text is neither `CODE` nor `CODE:FROM--TO`.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.first, Self.isCode(code) else { return nil }
    self.code = String(code)
    guard parts.count == 2 else {
      pair = nil
      return
    }
    guard let pair = VersionPair(text: parts[1]) else { return nil }
    self.pair = pair
  }

  /// The original text.
  package var text: String { code + (pair.map { ":\($0.text)" } ?? "") }

  /// Returns whether it includes a finding, which can concern a pair of versions.
  package func covers(_ code: String, _ pair: VersionPair? = nil) -> Bool {
    self.code == code && (self.pair == nil || self.pair == pair)
  }

  /// code = word ("." word)+, of lower-case letters, digits and hyphens
  private static func isCode(_ text: Substring) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count > 1
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
          }
      }
  }
}

/// Two versions of a model in the notation of migration files: `Todo--Todo 2`.
package struct VersionPair: Hashable, Sendable {
  package let text: String

  package init(from: String, to: String) {
    text = "\(from)--\(to)"
  }

  /// Nil for text without two names.
  init?(text: Substring) {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    let isPair = bytes.indices.dropFirst().dropLast(2).contains { index in
      bytes[index] == hyphen && bytes[index + 1] == hyphen
    }
    guard isPair else { return nil }
    self.text = String(text)
  }
}
