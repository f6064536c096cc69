/// An order of texts in which numbers are compared by their values: `Todo 2` comes before `Todo 10`.
package enum NaturalOrder {
  package static func isLess(_ a: String, _ b: String) -> Bool {
    let (left, right) = (parts(of: a), parts(of: b))
    for (l, r) in zip(left, right) where l != r { return isLess(l, r) }
    guard left.count == right.count else { return left.count < right.count }
    // Two Unicode spellings of one name are ordered by their bytes.
    return a == b ? a.utf8.lexicographicallyPrecedes(b.utf8) : a < b
  }

  /// Returns whether two names differ only in numbers, punctuation and case, such as `Todo` and `Todo 2`, or `v9_App`
  /// and `v10_App`.
  package static func areNumbered(_ a: String, _ b: String) -> Bool { words(of: a) == words(of: b) }

  /// Returns the words of a text in lower case, without numbers and punctuation.
  private static func words(of text: String) -> [String] {
    parts(of: text).compactMap { part in
      guard case .text(let run) = part else { return nil }
      let word = run.split { !$0.isLetter }.joined(separator: " ")
      return word.isEmpty ? nil : word
    }
  }

  /// A run of digits without leading zeros, or a run of other characters.
  private enum Part: Hashable {
    case number(String)
    case text(String)
  }

  private static func isLess(_ a: Part, _ b: Part) -> Bool {
    switch (a, b) {
    case (.number(let x), .number(let y)): (x.count, x) < (y.count, y)
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let x), .text(let y)): x < y
    }
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      parts.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(run.lowercased()))
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}
