/// Text that is equal to other text only if both have the same bytes.
///
/// In Swift, `é` as one scalar and `e` with a combining accent are equal strings. SQLite, most file systems and Core
/// Data compare bytes, and version hashes are computed from bytes. Names of two different models, stores or folders are
/// therefore compared as `ExactText`, or with `isExactly` (docs/architecture.md, "Names").
package struct ExactText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  // Texts with the same bytes are also equal as strings, so the hash of the string is correct.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ExactText: CustomStringConvertible {
  package var description: String { text }
}

extension String {
  /// Returns whether both strings have the same bytes.
  package func isExactly(_ other: String) -> Bool {
    // Swift's comparison is fast, and strings that are unequal in Swift have different bytes.
    self == other && utf8.elementsEqual(other.utf8)
  }

  /// Returns whether `other` isn't nil and has the same bytes.
  package func isExactly(_ other: String?) -> Bool { other.map(isExactly) ?? false }
}

extension String? {
  /// Returns whether both are nil, or both have the same bytes.
  package func isExactly(_ other: String?) -> Bool {
    guard let self else { return other == nil }
    return self.isExactly(other)
  }
}

extension Sequence<String> {
  /// The set of the texts, in which texts with different bytes are different members.
  package var exact: Set<ExactText> { Set(map(ExactText.init)) }

  /// Returns whether the sequence contains a string with the same bytes as `text`.
  package func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }

  /// Returns whether both sequences contain texts with the same bytes in the same order.
  package func isExactly(_ other: some Sequence<String>) -> Bool {
    elementsEqual(other) { $0.isExactly($1) }
  }

  /// The first two texts that are equal as strings but have different bytes, or nil if there are no such texts.
  package var firstTwin: NameTwins? {
    var seen: [String: String] = [:]
    for text in self {
      guard let first = seen[text] else {
        seen[text] = text
        continue
      }
      if !first.isExactly(text) { return NameTwins(first: first, second: text) }
    }
    return nil
  }
}

/// Two names that differ only in their Unicode encoding, or in encoding and case. `firstTwin` finds the former. The
/// model readers also find the latter, because tables and columns have uppercase names.
package struct NameTwins: Hashable, Sendable {
  package let first: String
  package let second: String

  package init(first: String, second: String) {
    self.first = first
    self.second = second
  }

  /// The first character with two encodings, as text: `'é' is U+00E9 in one and U+0065 U+0301 in the other`.
  package var difference: String {
    // Skips characters that differ only in case: names that differ only in case are valid.
    let pair = zip(first, second).first { !$0.lowercased().isExactly($1.lowercased()) }
    guard let (one, other) = pair else { return "their bytes differ" }
    return "'\(one)' is \(Self.scalars(one)) in one and \(Self.scalars(other)) in the other"
  }

  private static func scalars(_ character: Character) -> String {
    character.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }.joined(separator: " ")
  }
}
