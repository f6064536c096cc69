/// The code of diagnostics that are ignored, in general (`migrate.missing-value`) or only for a migration between two
/// versions of a model (`migrate.missing-value:Todo--Todo 2`).
package struct IgnoredCode: Hashable, Sendable {
  package let code: String
  /// The versions, or nil if the code is ignored for all versions and in diagnostics that don't concern versions.
  package let pair: VersionPair?

  /// Parses `CODE` or `CODE:FROM--TO`. Returns nil for other text.
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

  /// Returns whether to ignore a diagnostic.
  ///
  /// - Parameters:
  ///   - code: the code of the diagnostic.
  ///   - pair: the versions that the diagnostic concerns, or nil if it doesn't concern versions.
  package func covers(_ code: String, _ pair: VersionPair? = nil) -> Bool {
    self.code == code && (self.pair == nil || self.pair == pair)
  }

  /// Returns whether the text consists of at least two words, joined by dots. A word consists of lower-case ASCII
  /// letters, digits and hyphens.
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

  /// Returns nil if the text doesn't consist of two names, joined by `--`.
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
