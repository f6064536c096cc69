package import StoreModel

extension AnonymizationRule {
  /// Whether values of a type can be replaced so.
  package func suits(_ type: AttributeType) -> Bool {
    switch self {
    case .keep, .null: true
    case .blank: [.string, .binary].contains(type)
    case .constant: ![.undefined, .objectID].contains(type)
    case .hash: [.string, .uri, .uuid, .binary].contains(type) || type.isInteger
    case .scramble: [.string, .uri].contains(type)
    case .fake(.url): [.string, .uri].contains(type)
    case .fake: type == .string
    case .shift, .jitter(.seconds), .round(.calendar): type == .date
    case .jitter(.number), .jitter(.percent), .round(.number): type.isNumber
    }
  }

  /// The names of the rules that suit a type, for people.
  package static func names(for type: AttributeType) -> [String] {
    let examples: [AnonymizationRule] =
      [.keep, .null, .blank, .constant("…"), .hash, .scramble] + FakeKind.allCases.map { .fake($0) }
      + [.shift(seconds: 180 * 86_400)]
      + (type == .date
        ? [.jitter(.seconds(7 * 86_400)), .round(.calendar(.month))]
        : [.jitter(.percent(10)), .round(.number(10))])
    return examples.filter { $0.suits(type) }.map(\.text)
  }
}

extension AttributeType {
  var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

  var isNumber: Bool { isInteger || [.decimal, .double, .float].contains(self) }

  /// Whether text or data in the column isn't a value of the type. A Decimal may be the text "NaN".
  var isStoredAsNumber: Bool { isKeptByDefault || self == .date }

  /// Whether values may be kept without a word for it: numbers and Booleans, which say little on their own.
  var isKeptByDefault: Bool { isNumber || self == .boolean || self == .objectID }
}
