/// Text that is equal to other text only if both have the same bytes.
///
/// In Swift, `é` as one scalar and `e` with a combining accent are equal strings. SQLite, file systems, Core Data and
/// version hashes compare bytes. Names of two models, files or stores are therefore compared as `ExactText`, or with
/// `isExactly` (docs/architecture.md, "Names").
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

  // The hash of a String is the same for all its spellings, which is compatible with the stricter equality.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ExactText: CustomStringConvertible {
  package var description: String { text }
}

extension String {
  /// Returns whether both have the same bytes.
  package func isExactly(_ other: String) -> Bool {
    // Swift's comparison is fast, and texts that are unequal in Swift have different bytes.
    self == other && utf8.elementsEqual(other.utf8)
  }

  /// Returns whether both have the same bytes.
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
  /// The texts as a set that distinguishes spellings.
  package var exact: Set<ExactText> { Set(map(ExactText.init)) }

  /// Returns whether one of the texts has the same bytes.
  package func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }

  /// Returns whether both have the same texts in the same order, byte by byte.
  package func isExactly(_ other: some Sequence<String>) -> Bool {
    elementsEqual(other) { $0.isExactly($1) }
  }

  /// The first text that is equal to an earlier one but has other bytes, or nil.
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

/// Two names that look alike and differ only in their Unicode spelling.
package struct NameTwins: Hashable, Sendable {
  package let first: String
  package let second: String

  package init(first: String, second: String) {
    self.first = first
    self.second = second
  }

  /// The difference of the spellings: `'é' is U+00E9 in the one and U+0065 U+0301 in the other`.
  package var difference: String {
    // Names of two tables can differ in case too.
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
