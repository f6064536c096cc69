public import StoreDiagnostics
import StorePredicate

extension CheckErrors {
  public var diagnostics: [DiagnosticMessage] {
    errors.map { error in
      guard let text else { return error.diagnostic }
      let diagnostic = text.locate(error.diagnostic, at: error.range.range)
      return error.slip(in: text.text).map { diagnostic.helping($0) } ?? diagnostic
    }
  }
}

extension CheckError: DiagnosableError {
  public var diagnostics: [DiagnosticMessage] { [diagnostic] }

  /// The diagnostic of the error, without a location.
  public var diagnostic: DiagnosticMessage {
    switch kind {
    case .unknownProperty(let name, let entity, let known):
      error("unknown-key-path", "'\(entity)' has no property '\(name)'", .notFound)
        .didYouMean(name, among: known)
    case .propertyOfSubentity(let name, let entity, let subentity):
      error(
        "unknown-key-path", "'\(entity)' has no property '\(name)', but its subentity does",
        .notFound
      ).helping("fetch '\(subentity)' instead, or add a condition: entity == '\(subentity)' AND …")
    case .stepThroughAttribute(let name, let entity, let next):
      error(
        "step-through-attribute",
        "'\(name)'\(entity.map { " of '\($0)'" } ?? "") is a value: '\(next)' can't follow it")
    case .transient(let property, let entity):
      error(
        "transient-property",
        "'\(property)' of '\(entity)' is transient, so a store doesn't contain it")
    case .fetchedProperty(let name, let entity):
      error("fetched-property", "'\(name)' of '\(entity)' is a fetched property")
        .helping(.model(.runFetchedProperty(entity: entity, name: name)))
    case .propertyAsValue:
      error("property-as-value", "'$\(FetchSource.propertyVariable)' alone isn't a value")
        .helping("use its name or its user info: '$FETCHED_PROPERTY.userInfo.search'")
    case .unknownDescription(let key, let property, let known):
      error("unknown-description", "the fetched property '\(property)' has no '\(key)'", .notFound)
        .didYouMean(key, among: known, elseListing: "it has")
    case .compositeWithoutElement(let name, let entity, let elements):
      error("composite-without-element", "'\(name)' of '\(entity)' consists of several values")
        .helping("specify one: \(elements.map { "'\(name).\($0)'" }.joined(separator: ", "))")
    case .operatorWithoutPath(let function):
      error("operator-without-path", "'\(function.rawValue)' requires a key path after it")
        .helping("write it before an attribute: 'items.\(function.rawValue).price'")
    case .toManyWithoutModifier(let relationship):
      error("to-many-without-any", "'\(relationship)' is a to-many relationship")
        .helping("write ANY, ALL or NONE before the comparison, as in ANY items.price > 5")
    case .toManyBesideNil(let relationship, let keyPath, let isEqual):
      error(
        "to-many-without-any", "'\(relationship)' is a to-many relationship, which is never nil"
      )
      .helping(
        isEqual
          ? "for rows without members, write '\(keyPath).@count == 0'"
          : "for rows with members, write '\(keyPath).@count > 0'")
    case .toManyAsValue(let relationship):
      error("to-many-as-value", "'\(relationship)' is a to-many relationship, not a single value")
        .helping("use '\(relationship).@count', or the sum, avg, min or max of an attribute")
    case .keyOfValue(let type, let next):
      error("step-through-attribute", "\(type.phrase) is a value: '\(next)' can't follow it")
    case .insideTransformable(let name):
      error(
        "inside-transformable",
        "\(name) is a Transformable, and its archived content isn't available to requests"
      ).helping("compare it with nil, or store the data in another attribute or relationship")
    case .unordered(let name):
      error("unordered", "the members of '\(name)' have no order")
        .helping(
          "[0], [FIRST] and [LAST] require a list or an ordered to-many relationship; [SIZE], @min and @max don't"
        )
    case .unknownEntity(let name, let known):
      error("unknown-entity", "the model has no entity '\(name)'", .notFound)
        .didYouMean(name, among: known)
    case .mismatch(let left, let right):
      error("type-mismatch", "\(left.phrase) and \(right.phrase) can't be compared")
    case .unreadable(let found, let expected):
      error("wrong-value", "'\(found)' isn't \("\(expected)".withArticle)")
        .helping(withForm: expected.quotedForm)
    case .notAnObject(let found, let entity, _):
      if let other = ObjectID(text: found)?.entity {
        error("wrong-value", "'\(found)' is an object of '\(other)', not of '\(entity)'")
      } else {
        error("wrong-value", "'\(found)' isn't an object of '\(entity)'")
          .helping(withForm: ValueType.object(entity).form)
      }
    case .wrongAssignment(let property, let type, let found):
      error(
        "type-mismatch",
        "'\(property)' takes \("\(ValueType.attribute(type))".withArticle), not \("\(found)".withArticle)"
      )
    case .literalAsExpression(let name, let property, let entity):
      error("unknown-key-path", "'\(entity)' has no property '\(name)'", .notFound)
        .helping("an expression comes after ':='. For text, write \(property)=\(name)")
    case .comparedList(let comparison):
      error("wrong-type", "'\(comparison.rawValue)' requires a single value, not a list")
        .helping("to compare with each value of a list: IN")
    case .unexpected(let found, let expected, let operation):
      error("wrong-type", "\(operation) requires \(expected), not \(found.phrase)")
    case .notOrdered(let type, let comparison):
      error("not-ordered", "\(type.phrase) can't be compared with '\(comparison.rawValue)'")
    case .needsTwoBounds(let found):
      error(
        "two-bounds",
        "BETWEEN requires a list of two bounds\(found.map { ", but this list has \($0)" } ?? "")"
      ).helping("for example: BETWEEN {1, 5}")
    case .needsCollection(let found, let operation):
      error(
        "needs-collection",
        "\(operation) requires a list or a to-many relationship, not \(found.phrase)")
    case .wrongArgumentCount(let function, let found):
      error(
        "argument-count",
        "\(Self.shown(function.rawValue)) doesn't take \(found) \("argument".plural(found))")
    case .invalidPattern(let pattern):
      error("invalid-pattern", "'\(pattern)' isn't a regular expression")
    case .unknownMethod(let selector, let known):
      error("unknown-method", "unknown method '\(selector)'")
        .didYouMean(selector, among: known)
    case .wrongMethodArguments(let selector, let found):
      error("argument-count", "'\(selector)' doesn't take \(found) \("argument".plural(found))")
    case .unboundVariable(let name):
      error("unbound-variable", "the variable '$\(name)' has no value", .usage)
        .helping(.request(.giveValue))
    case .aggregateOfRows(let function, let extreme):
      error(
        "aggregate-of-rows", "\(Self.shown(function)) of the fetched rows can't be used here",
        .usage
      ).helping(
        .request(
          extreme.map { .sortForFirst(keyPath: $0.keyPath, isDescending: $0.isLargest) }
            ?? .moveAggregate))
    case .nestedAggregate(let inner, let outer?):
      error(
        "nested-aggregate",
        "\(Self.shown(inner)) can't be an argument of \(Self.shown(outer)): both aggregate the fetched rows",
        .usage
      ).helping("omit one of them")
    case .nestedAggregate(let inner, nil):
      error(
        "nested-aggregate",
        "\(Self.shown(inner)) of the fetched rows can't be used inside a collection, SUBQUERY, ANY or ALL",
        .usage
      ).helping("compare it as a value: count(name) IN {1, 2}")
    case .notGrouped(let name, let keyPath):
      error("not-grouped", "'\(name)' can have several values in a group", .usage)
        .helping(.request(.groupOrFold(keyPath: keyPath)))
    case .sectionsOfFoldedRows(let keyPath):
      error("folded-sections", "a request that aggregates all rows can't have sections", .usage)
        .helping("omit the sections, and group by '\(keyPath)'")
    case .unknownColumn(let name, let known):
      unknownColumn(name, known)
    case .groupedRows:
      error("grouped-rows", "a request with groups can't return rows", .usage)
        .helping(.request(.selectOrCountGroups))
    case .havingWithoutGroups:
      DiagnosticMessage(
        .error, "predicate.having-without-groups", .groupFilterWithoutGroups, cause: .usage
      ).helping(.request(.groupOrFilterRows))
    case .unsupportedInStore(let construct):
      error("unsupported-in-store", "\(construct) isn't supported in requests to a store")
    case .choiceOfCollections:
      error("choice-of-collections", "TERNARY can't choose between collections in a store")
        .helping("choose between conditions: (a AND …) OR (NOT a AND …)")
    case .noRowYet:
      error("no-row-yet", "an expression can't use values of a row that is being inserted")
    }
  }

  /// Returns a function or an operator for a sentence: `sum()` for `sum:`, otherwise the text in quotes.
  static func shown(_ name: String) -> String {
    guard name.hasSuffix(":"), name.dropLast().allSatisfy(\.isLetter) else { return "'\(name)'" }
    return "\(name.dropLast())()"
  }

  private func unknownColumn(_ name: String, _ known: [String]) -> DiagnosticMessage {
    let diagnostic = error(
      "unknown-column", "the variable '$\(name)' isn't the name of a selected value", .notFound)
    guard !known.isEmpty else {
      return diagnostic.helping(.request(.nameSelectedValue(name)))
    }
    return diagnostic.didYouMean(name, among: known, elseListing: "the names are")
  }

  private func error(
    _ code: String, _ message: String, _ cause: DiagnosticMessage.Cause = .invalid
  ) -> DiagnosticMessage {
    DiagnosticMessage(.error, "predicate.\(code)", message, cause: cause)
  }
}

extension ValueType {
  /// The syntax of a value of the type in a predicate. It is nil if the type has no particular syntax.
  fileprivate var quotedForm: String? {
    self == .attribute(.date) ? "an ISO 8601 date in quotes: \"2026-01-31T09:30:00Z\"" : form
  }

  /// The syntax of a value of the type, with an example. It is nil if the type has no particular syntax.
  package var form: String? {
    switch self {
    case .object(let entity): "an object ID: 'x-coredata:///\(entity)/p7'"
    case .collection: "a list: {1, 2, 3}"
    case .any, .entity: nil
    case .attribute(let type): type.form
    }
  }
}

extension AttributeType {
  /// The syntax of a value of the type on the command line, with an example. It is nil if any text is a value, and for
  /// composites.
  public var form: String? {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number"
    case .decimal, .double, .float: "a number: 12.5"
    case .boolean: "true or false"
    case .date: "an ISO 8601 date: 2026-01-31T09:30:00Z"
    case .uuid: "a UUID: 6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    case .binary, .transformable, .undefined: "base64"
    case .objectID: "an object ID: 'x-coredata:///Item/p7'"
    case .string, .uri, .composite: nil
    }
  }
}
