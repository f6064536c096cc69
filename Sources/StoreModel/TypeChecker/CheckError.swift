public import StoreDiagnostics
public import StorePredicate

/// One thing in a predicate, or in another part of a request, that does not fit the model.
public struct CheckError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    // Key paths
    case unknownProperty(String, entity: String, known: [String])
    case propertyOfSubentity(String, entity: String, subentity: String)
    /// The entity is nil behind `@count`.
    case stepThroughAttribute(String, entity: String?, next: String)
    case transient(property: String, entity: String)
    case fetchedProperty(String, entity: String)
    case compositeWithoutElement(String, entity: String, elements: [String])
    case operatorWithoutPath(CollectionOperator)
    /// `$FETCHED_PROPERTY` without a key.
    case propertyAsValue
    /// A key behind `$FETCHED_PROPERTY`, and those that the property has.
    case unknownDescription(String, property: String, known: [String])
    case toManyWithoutModifier(relationship: String)
    /// A to-many `keyPath`, as it is written, is compared with nil.
    case toManyBesideNil(relationship: String, keyPath: String, isEqual: Bool)
    case toManyAsValue(relationship: String)
    /// `next` is asked of a value that has no keys.
    case keyOfValue(ValueType, next: String)
    /// A look into an attribute that an app has archived; named for the message.
    case insideTransformable(String)
    /// A member by its place, of a collection that this relationship or operator takes the order from.
    case unordered(String)
    // Values
    case unknownEntity(String, known: [String])
    case mismatch(ValueType, ValueType)
    /// `found` is a value as the user wrote it.
    case unreadable(found: String, expected: ValueType)
    /// Text that is no object ID; an attribute by which people would describe such an object.
    case notAnObject(found: String, entity: String, attribute: String?)
    case unexpected(ValueType, expected: String, by: String)
    /// An expression that a property is to be set to.
    case wrongAssignment(property: String, takes: AttributeType, found: ValueType)
    /// A word that is no key path, where a property is to be set to an expression.
    case literalAsExpression(String, property: String, entity: String)
    case notOrdered(ValueType, operator: Comparison.Operator)
    case needsTwoBounds(found: Int?)
    case needsCollection(ValueType, operator: String)
    case wrongArgumentCount(Function, found: Int)
    case invalidPattern(String)
    case unknownMethod(String, known: [String])
    case wrongMethodArguments(String, found: Int)
    // Requests
    case unboundVariable(String)
    /// An aggregate of the fetched rows in a predicate; for the smallest and the largest value also
    /// the key path of the values.
    case aggregateOfRows(String, extreme: Extreme?)
    /// An aggregate of the fetched rows inside another one, or, where `inside` is nil, inside a collection.
    case nestedAggregate(String, inside: String?)
    /// `keyPath` is what the rows can be grouped by; nil for any other expression.
    case notGrouped(String, keyPath: String?)
    /// Sections by this key path, where aggregates fold all rows to one.
    case sectionsOfFoldedRows(String)
    /// A variable that isn't the name of a selected value, and the names that there are.
    case unknownColumn(String, known: [String])
    case groupedRows
    case havingWithoutGroups
    case unsupportedInStore(String)
    /// TERNARY between two collections.
    case choiceOfCollections
    /// A key path in a value for a row that is only being made.
    case noRowYet
  }

  /// The smallest or largest value of a key path.
  public struct Extreme: Hashable, Sendable {
    public var keyPath: String
    public var isLargest: Bool
  }

  public var kind: Kind
  public var range: TextRange

  public init(_ kind: Kind, at range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

extension CheckErrors {
  /// The same in the words of an assignment, where nothing is compared: of an expression that as a whole is not
  /// what the property takes.
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

/// All the mistakes of one text.
public struct CheckErrors: DiagnosableError, Hashable {
  /// At least one, in the order of the text.
  public var errors: [CheckError]
  /// What the errors' ranges are in; nil when the tree was built by code.
  public var text: PredicateText?

  public init(_ errors: [CheckError], in text: PredicateText? = nil) {
    self.errors = errors
    self.text = text
  }
}

// The checker sees a tree. What its writer meant shows in the text: a word without quotes is a key path, a date
// without them a subtraction.
extension CheckError {
  /// What was probably meant, where the text around the error shows it.
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
      return "text stands in quotes: \"\(found)\""
    case .mismatch(_, .attribute(.date)) where Self.looksLikeDate(found):
      return "dates stand in quotes: \"\(found)\""
    case .notAnObject(_, _, let attribute?):
      guard let path = Self.keyPath(before: before) else { return nil }
      return "or compare an attribute of it: \(path).\(attribute) == \(found)"
    default: return nil
    }
  }

  /// What other languages call the collection operators.
  private static let operators = [
    "count": "@count", "size": "@count", "length": "@count", "sum": "@sum", "avg": "@avg",
    "average": "@avg", "min": "@min", "max": "@max",
  ]

  /// - Parameter before: the text up to the dot.
  private static func advice(for function: String, behind before: String) -> String {
    let path = String(
      before.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }.reversed())
    return function == "@count"
      ? "the number of members is \(path)@count" : "of a member's values: \(path)\(function).price"
  }

  private static let words = Set(
    Comparison.Operator.allCases.map(\.rawValue).filter { $0.first?.isLetter == true })

  /// Whether what follows is compared with what stands before.
  private static func endsWithOperator(_ text: String) -> Bool {
    let text = text.trimmingSuffix { $0.isWhitespace }
    guard let last = text.last else { return false }
    if "=<>".contains(last) { return true }
    // A member of a list in braces.
    if "{,".contains(last), let brace = text.lastIndex(of: "{") {
      return !text[brace...].contains("}")
    }
    // Options stand behind an operator: CONTAINS[cd].
    let bracket = last == "]" ? text.lastIndex(of: "[") : nil
    let bare = bracket.map { text[..<$0] } ?? text
    return words.contains(bare.trimmingPrefixToLastWord().uppercased())
  }

  private static func looksLikeDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count == 4 && (1...2).contains(parts[1].count)
      && parts.allSatisfy { $0.allSatisfy(\.isNumber) }
  }

  /// The key path that an equality compares, the left side of which the text ends with.
  private static func keyPath(before text: String) -> String? {
    let left = text.trimmingSuffix { $0.isWhitespace || "=!".contains($0) }
    let path = left.reversed().prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return path.isEmpty || left.count == text.count ? nil : String(path.reversed())
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
