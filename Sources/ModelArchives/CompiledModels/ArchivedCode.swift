package import StoreModel
import StorePredicate

/// The numbers that represent types, rules, operators and flags in a compiled model (docs/formats/compiled-models.md).
package enum ArchivedCode {
  static let attributeTypes: ArchivedCodes<AttributeType> = [
    0: .undefined, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal,
    500: .double, 600: .float, 700: .string, 800: .boolean, 900: .date, 1000: .binary,
    1100: .uuid, 1200: .uri, 1800: .transformable, 2000: .objectID,
  ]
  /// The type of a composite attribute. The attribute's object contains the attributes of the composite.
  static let composite: Int64 = 2100

  /// The raw value of `NSAttributeType`.
  package static func code(of type: AttributeType) -> Int64 {
    if case .composite = type { return composite }
    return attributeTypes.code(of: type)
  }

  static let deleteRules: ArchivedCodes<RelationshipDescription.DeleteRule> = [
    0: .noAction, 1: .nullify, 2: .cascade, 3: .deny,
  ]

  /// The number for R-trees is assumed, because known archives only contain binary indexes.
  static let indexKinds: ArchivedCodes<FetchIndex.Element.Kind> = [
    0: .binary, 1: .rTree,
  ]

  /// The raw values of `NSExpression.ExpressionType`. `keyPathSpecifier` is the type of a key path that is the argument
  /// of a call.
  static let expressionTypes: ArchivedCodes<ArchivedExpressionType> = [
    0: .constant, 1: .selfObject, 2: .variable, 3: .keyPath, 4: .function, 5: .union,
    6: .intersection, 7: .difference, 10: .keyPathSpecifier, 13: .subquery,
    14: .aggregate, 20: .ternary,
  ]

  /// The type of the expression `FIRST` in `a[FIRST]`, and of `LAST` and `SIZE`. The number is assumed, because no
  /// known archive contains such an expression.
  static let symbolicExpression: Int64 = 11

  /// The raw values of `NSComparisonPredicate.Operator`.
  static let operators: ArchivedCodes<FormatComparison.Operator> = [
    0: .less, 1: .lessOrEqual, 2: .greater, 3: .greaterOrEqual, 4: .equal,
    5: .notEqual, 6: .matches, 7: .like, 8: .beginsWith, 9: .endsWith, 10: .in,
    99: .contains, 100: .between,
  ]

  /// The raw values of `NSComparisonPredicate.Modifier`.
  static let modifiers: ArchivedCodes<FormatComparison.Modifier> = [
    0: .direct, 1: .all, 2: .any,
  ]

  /// The raw values of `NSCompoundPredicate.LogicalType`.
  static let compoundTypes: (not: Int64, and: Int64, or: Int64) = (0, 1, 2)

  /// The bits in the flags of an attribute.
  static let allowsExternalStorage: Int64 = 4
  static let isPreservedAfterDeletion: Int64 = 16
  static let attributeFlags = allowsExternalStorage | isPreservedAfterDeletion

  static func bits(_ flags: [(bit: Int64, isSet: Bool)]) -> Int64 {
    flags.reduce(0) { $1.isSet ? $0 | $1.bit : $0 }
  }

  /// Returns the class of an attribute's values in archives if the model doesn't specify a custom class.
  static func valueClass(of type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}

enum ArchivedExpressionType {
  case constant, selfObject, variable, keyPath, function, union, intersection, difference
  case keyPathSpecifier, subquery, aggregate, ternary
}

/// A list of numbers in archives with the meaning of each number.
struct ArchivedCodes<Meaning: Equatable & Sendable>: ExpressibleByDictionaryLiteral, Sendable {
  let pairs: [(code: Int64, meaning: Meaning)]

  init(dictionaryLiteral pairs: (Int64, Meaning)...) { self.pairs = pairs.map { ($0, $1) } }

  func meaning(of code: Int64) -> Meaning? { pairs.first { $0.code == code }?.meaning }

  /// Returns the number for `meaning`, or 0 if the list doesn't contain it.
  func code(of meaning: Meaning) -> Int64 { pairs.first { $0.meaning == meaning }?.code ?? 0 }
}

extension KeyedArchive.Object {
  /// Returns the meaning of the number in the value of a key. A missing key is treated as 0.
  ///
  /// - Parameter expected: The description of the expected number, for the message.
  func meaning<Meaning>(
    _ key: String, among codes: ArchivedCodes<Meaning>, expected: String
  ) throws(KeyedArchiveError) -> Meaning {
    let code = try integer(key) ?? 0
    guard let meaning = codes.meaning(of: code) else {
      throw unexpected("\(code)", at: key, expected: expected)
    }
    return meaning
  }
}
