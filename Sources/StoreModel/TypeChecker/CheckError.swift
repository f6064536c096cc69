public import StoreDiagnostics
public import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error in a predicate or in another part of a request, such as a property that the model doesn't have.
public struct CheckError: Error, Hashable, Sendable {
  /// The reason of an error.
  public enum Kind: Hashable, Sendable {
    // Key paths
    /// The entity or composite doesn't have a property with this name. `known` contains its attributes and
    /// relationships.
    case unknownProperty(String, entity: String, known: [String])
    /// A sub-entity has the property, but the entity itself doesn't.
    case propertyOfSubentity(String, entity: String, subentity: String)
    /// A key comes after an attribute. The entity is nil after `@count`.
    case stepThroughAttribute(String, entity: String?, next: String)
    /// The attribute or relationship is transient, so a store doesn't contain it.
    case transient(property: String, entity: String)
    /// A fetched property is used in a predicate.
    case fetchedProperty(String, entity: String)
    /// A composite attribute is used without the name of an element.
    case compositeWithoutElement(String, entity: String, elements: [String])
    /// A collection operator, such as `@sum`, isn't followed by a key path.
    case operatorWithoutPath(CollectionOperator)
    /// `$FETCHED_PROPERTY` isn't followed by a key.
    case propertyAsValue
    /// An unknown key comes after `$FETCHED_PROPERTY`. The keys of the property are `known`.
    case unknownDescription(String, property: String, known: [String])
    /// A to-many relationship is compared without ANY, ALL or NONE.
    case toManyWithoutModifier(relationship: String)
    /// A to-many relationship is compared with nil. `keyPath` is the text of the key path. `isEqual` is true for `==`
    /// and false for `!=`.
    case toManyBesideNil(relationship: String, keyPath: String, isEqual: Bool)
    /// A to-many relationship is used as a single value.
    case toManyAsValue(relationship: String)
    /// The key `next` comes after a value that doesn't have keys.
    case keyOfValue(ValueType, next: String)
    /// A condition depends on the content of a transformable attribute. The associated value describes the attribute
    /// in the message, for example `'color' of 'Item'`.
    case insideTransformable(String)
    /// A member is accessed by its position, but the order of the collection is undefined because of this relationship
    /// or operator.
    case unordered(String)
    // Values
    /// The model doesn't have an entity with this name. Its entities are `known`.
    case unknownEntity(String, known: [String])
    /// Two values with these types are compared, but the types aren't comparable.
    case mismatch(ValueType, ValueType)
    /// `found`, as written by the user, isn't a value of the expected type.
    case unreadable(found: String, expected: ValueType)
    /// A text isn't an object ID. `attribute` usually identifies objects of the entity.
    case notAnObject(found: String, entity: String, attribute: String?)
    /// A list is compared with the operator, which requires a single value.
    case comparedList(FormatComparison.Operator)
    /// The operation `by` requires another type.
    case unexpected(ValueType, expected: String, by: String)
    /// A property is set to an expression of the wrong type.
    case wrongAssignment(property: String, takes: AttributeType, found: ValueType)
    /// A property is set to a word that isn't a key path.
    case literalAsExpression(String, property: String, entity: String)
    /// Values of the type can't be compared by less or greater.
    case notOrdered(ValueType, operator: FormatComparison.Operator)
    /// The right side of BETWEEN isn't a list of two values. `found` is the number of values in the list, or nil if it
    /// isn't a list.
    case needsTwoBounds(found: Int?)
    /// The operator requires a list or a to-many relationship.
    case needsCollection(ValueType, operator: String)
    /// A function has the wrong number of arguments.
    case wrongArgumentCount(FormatFunction, found: Int)
    /// The pattern of MATCHES isn't a regular expression.
    case invalidPattern(String)
    /// `FUNCTION(…)` calls an unknown method. The supported methods are `known`.
    case unknownMethod(String, known: [String])
    /// `FUNCTION(…)` calls a method with the wrong number of arguments.
    case wrongMethodArguments(String, found: Int)
    // Requests
    /// A variable doesn't have a value.
    case unboundVariable(String)
    /// An aggregate of the fetched rows is used in a predicate. `extreme` describes the minimum or maximum of a key
    /// path, and is nil for other aggregates.
    case aggregateOfRows(String, extreme: Extreme?)
    /// An aggregate of the fetched rows is used inside the aggregate `inside` or, if that is nil, in a collection, a
    /// SUBQUERY, ANY or ALL.
    case nestedAggregate(String, inside: String?)
    /// An expression has several values in a group. `keyPath` is nil if the rows can't be grouped by it.
    case notGrouped(String, keyPath: String?)
    /// Sections are requested for this key path, but all rows are aggregated into one.
    case sectionsOfFoldedRows(String)
    /// A variable in HAVING or a sort key isn't the name of a selected value. A variable can have the names in `known`.
    case unknownColumn(String, known: [String])
    /// Rows or object IDs are requested together with groups.
    case groupedRows
    /// A condition on groups is used without groups.
    case havingWithoutGroups
    /// A construct can't be translated to a request to a store.
    case unsupportedInStore(String)
    /// TERNARY chooses between two collections.
    case choiceOfCollections
    /// An expression for a new row uses a key path.
    case noRowYet
  }

  /// The smallest or largest value of a key path.
  public struct Extreme: Hashable, Sendable {
    /// The key path of the values.
    public var keyPath: String
    /// Whether it is the largest value.
    public var isLargest: Bool
  }

  /// The reason of the error.
  public var kind: Kind
  /// The location of the error in the text.
  public var range: TextRange

  /// Creates an error from its reason and its location.
  public init(_ kind: Kind, at range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

extension CheckErrors {
  /// Converts the errors of an assignment. If the expression as a whole has the wrong type, the message mentions the
  /// property instead of a comparison.
  package func ofAssignment(
    to property: String, as type: AttributeType, _ expression: FormatExpression
  ) -> CheckErrors {
    var failure = self
    failure.errors = errors.map { error in
      guard error.range.range == expression.range.range else { return error }
      switch error.kind {
      case .mismatch(let found, _):
        return CheckError(
          .wrongAssignment(property: property, takes: type, found: found), at: error.range)
      case .unknownProperty(let name, let entity, _) where type == .string:
        return CheckError(
          .literalAsExpression(name, property: property, entity: entity), at: error.range)
      default: return error
      }
    }
    return failure
  }
}

/// All errors of one predicate or expression.
public struct CheckErrors: DiagnosableError, Hashable {
  /// The errors, at least one, in the order of the text.
  public var errors: [CheckError]
  /// The text that contains the locations of the errors. It is nil if the predicate was built by code.
  public var text: PredicateText?

  /// Creates a list of errors from one text.
  public init(_ errors: [CheckError], in text: PredicateText? = nil) {
    self.errors = errors
    self.text = text
  }
}

// The text shows typical errors that the parsed predicate doesn't show: a word without quotes is parsed as a key path,
// and a date without quotes as a subtraction.
extension CheckError {
  /// Returns a hint about a typical error, such as missing quotes, or nil for other errors.
  func slip(in text: String) -> String? {
    let (bytes, range) = (Array(text.utf8), self.range.range)
    guard range.upperBound <= bytes.count else { return nil }
    let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
    let found = String(decoding: bytes[range], as: UTF8.self)
    let after = String(decoding: bytes[range.upperBound...], as: UTF8.self)
    switch kind {
    case .unknownProperty(let name, _, _) where before.hasSuffix("."):
      return Self.operators[name.lowercased()].map { Self.advice(for: $0, behind: before) }
    case .unknownProperty where Self.endsWithOperator(before) && !after.hasPrefix("."):
      return "quote the text: \"\(found)\""
    case .toManyWithoutModifier(let relationship)
    where found == relationship || found.hasSuffix(".\(relationship)"):
      return "or compare the number of members: \(found).@count"
    case .comparedList where found.uppercased().hasPrefix("SUBQUERY("):
      return "or compare the number of members: \(found).@count"
    case .mismatch(_, .attribute(.date)) where ISODate.seconds(found) != nil:
      return "quote the date: \"\(found)\""
    case .notAnObject(let text, _, let attribute?) where ObjectID(text: text) == nil:
      guard let path = Self.keyPath(before: before) else { return nil }
      return "or compare one of its attributes: \(path).\(attribute) == \(found)"
    default: return nil
    }
  }

  /// The collection operators, by their names in other languages.
  private static let operators = [
    "count": "@count", "size": "@count", "length": "@count", "sum": "@sum", "avg": "@avg",
    "average": "@avg", "min": "@min", "max": "@max",
  ]

  /// - Parameter before: the text up to the dot.
  private static func advice(for function: String, behind before: String) -> String {
    let path = String(
      before.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }.reversed())
    return function == "@count"
      ? "for the number of members, write \(path)@count"
      : "for the values of members, write \(path)\(function).price"
  }

  private static let words = Set(
    FormatComparison.Operator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true })

  /// Returns whether a text ends with a comparison operator, or inside of a list in braces.
  private static func endsWithOperator(_ text: String) -> Bool {
    let text = text.trimmingSuffix { $0.isWhitespace }
    guard let last = text.last else { return false }
    if "=<>".contains(last) { return true }
    if "{,".contains(last), let brace = text.lastIndex(of: "{") {
      return !text[brace...].contains("}")
    }
    // Options come after an operator: CONTAINS[cd].
    let bracket = last == "]" ? text.lastIndex(of: "[") : nil
    let bare = bracket.map { text[..<$0] } ?? text
    return words.contains(bare.trimmingPrefixToLastWord().uppercased())
  }

  /// Returns the key path before the `==`, `=` or `!=` at the end of a text, or nil for other text.
  private static func keyPath(before text: String) -> String? {
    guard text.trimmingSuffix({ $0.isWhitespace }).last == "=" else { return nil }
    let left = text.trimmingSuffix { $0.isWhitespace || "=!".contains($0) }
    let path = left.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return path.isEmpty ? nil : String(path.reversed())
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
    var rest = Substring(self)
    while let last = rest.last, isLeftOut(last) { rest = rest.dropLast() }
    return rest
  }

  fileprivate func trimmingPrefixToLastWord() -> String {
    String(trimmingSuffix { $0.isWhitespace }.reversed().prefix { $0.isLetter }.reversed())
  }
}

extension CheckErrors: LocalizedError {}
