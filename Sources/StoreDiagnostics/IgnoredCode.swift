/// A code of findings that are not wanted, everywhere or only between two versions of a model:
/// `migrate.missing-value`, `migrate.missing-value:Todo--Todo 2`.
package struct IgnoredCode: Hashable, Sendable {
  package let code: String
  /// Nil for all pairs, and for findings that are about none.
  package let pair: VersionPair?

  /// Nil where the text is neither `CODE` nor `CODE:FROM--TO`.
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

  /// As it was written.
  package var text: String { code + (pair.map { ":\($0.text)" } ?? "") }

  /// Whether it is meant by a finding, which may be about a pair of versions.
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

/// Two versions of a model, as the file of their migration is named: `Todo--Todo 2`.
package struct VersionPair: Hashable, Sendable {
  package let text: String

  package init(from: String, to: String) {
    text = "\(from)--\(to)"
  }

  /// Nil where there are no two names.
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
