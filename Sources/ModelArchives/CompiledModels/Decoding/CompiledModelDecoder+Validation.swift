import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  /// Bounds and a pattern, of the predicates that Xcode makes for them.
  mutating func validation(
    of object: KeyedArchive.Object, type: AttributeType, context: String
  ) throws(KeyedArchiveError) -> Attribute.Validation {
    var validation = Attribute.Validation()
    let predicates = try optionalPart("the validation \(context)") {
      decoder throws(KeyedArchiveError) in
      let predicates = try object.objects(
        ArchivedKey.validationPredicates, expected: "a predicate")
      try decoder.count(predicates.count)
      return predicates
    }
    for archived in predicates ?? [] {
      let predicate = try optionalPart("a validation \(context)") {
        decoder throws(KeyedArchiveError) in try decoder.expressions.predicate(archived)
      }
      for condition in predicate?.conditions ?? []
      where !validation.take(condition, type: type) {
        keepOpaque("the validation '\(condition.format)' is no bound or pattern", context: context)
      }
    }
    return validation
  }
}

extension FormatPredicate {
  /// Those that must all hold.
  fileprivate var conditions: [FormatPredicate] {
    if case .and(let members) = self { members } else { [self] }
  }
}

extension Attribute.Validation {
  /// Whether the condition is one of these, and the first of its kind.
  fileprivate mutating func take(_ condition: FormatPredicate, type: AttributeType) -> Bool {
    guard case .comparison(let comparison) = condition, comparison.modifier == .direct,
      comparison.options.isEmpty, case .constant(let value) = comparison.right.kind,
      let side = Side(comparison.left)
    else { return false }
    let isBound = side == (type == .string ? .length : .value)
    switch comparison.operator {
    case .greaterOrEqual where isBound && minimum == nil:
      minimum = bound(value, type: type)
      return minimum != nil
    case .lessOrEqual where isBound && maximum == nil:
      maximum = bound(value, type: type)
      return maximum != nil
    case .matches where side == .value && pattern == nil:
      guard case .string(let text) = value else { return false }
      pattern = text
      return true
    default: return false
    }
  }

  /// What a condition is about: the value itself, or the length of a text.
  private enum Side {
    case value, length

    init?(_ expression: FormatExpression) {
      switch expression.kind {
      case .selfObject: self = .value
      case .keyPath(let base, let steps) where base.kind == .selfObject && steps.count == 1:
        guard steps[0].kind == .key("length") else { return nil }
        self = .length
      case .function(.length, let arguments) where arguments.map(\.kind) == [.selfObject]:
        self = .length
      default: return nil
      }
    }
  }

  /// As the XML's bounds are read: a whole number is an integer, whatever the type.
  private func bound(_ value: Value, type: AttributeType) -> Value? {
    switch (type, value) {
    case (.date, .date): value
    case (.integer16, _), (.integer32, _), (.integer64, _), (.decimal, _), (.double, _),
      (.float, _), (.string, _):
      switch value {
      case .integer: value
      case .double(let number): Int64(exactly: number).map { .integer($0) } ?? value
      default: nil
      }
    default: nil
    }
  }
}
