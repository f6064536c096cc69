import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyedArchiveWriter {
  mutating func predicate(_ predicate: FormatPredicate) -> Reference {
    switch predicate {
    case .constant(let isTrue): object(isTrue ? .truePredicate : .falsePredicate, [])
    case .not(let member): compound(ArchivedCode.compoundTypes.not, [member])
    case .and(let members): compound(ArchivedCode.compoundTypes.and, members)
    case .or(let members): compound(ArchivedCode.compoundTypes.or, members)
    case .comparison(let comparison):
      self.comparison(
        comparison.operator, expression(comparison.left), expression(comparison.right),
        modifier: comparison.modifier, options: comparison.options)
    }
  }

  private mutating func compound(_ type: Int64, _ members: [FormatPredicate]) -> Reference {
    let members = members.map { predicate($0) }
    return object(
      .compoundPredicate,
      [
        (ArchivedKey.compoundType, .integer(type)),
        (ArchivedKey.subpredicates, .object(collection(members))),
      ])
  }

  mutating func comparison(
    _ symbol: FormatComparison.Operator, _ left: Reference, _ right: Reference,
    modifier: FormatComparison.Modifier = .direct, options: FormatComparison.Options = []
  ) -> Reference {
    object(
      .comparisonPredicate,
      [
        (ArchivedKey.left, .object(left)), (ArchivedKey.right, .object(right)),
        (ArchivedKey.predicateOperator, .object(operation(symbol, modifier, options))),
      ])
  }

  /// Writes an operator. Each class of operators has its own keys in addition to the type and the modifier.
  private mutating func operation(
    _ symbol: FormatComparison.Operator, _ modifier: FormatComparison.Modifier,
    _ options: FormatComparison.Options
  ) -> Reference {
    let code = ArchivedCode.operators.code(of: symbol)
    let values: [(key: String, value: Field)] = [
      (ArchivedKey.operatorType, .integer(code)),
      (ArchivedKey.modifier, .integer(ArchivedCode.modifiers.code(of: modifier))),
    ]
    let options = (key: ArchivedKey.options, value: Field.integer(Int64(options.rawValue)))
    let flags = (key: ArchivedKey.operatorFlags, value: options.value)
    let (type, rest): (ClassChain, [(key: String, value: Field)]) =
      switch symbol {
      case .equal, .notEqual:
        (.equalityOperator, [(ArchivedKey.isNegated, .boolean(symbol == .notEqual)), options])
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        (.orderOperator, [(ArchivedKey.variant, .integer(code)), options])
      case .in, .contains: (.membershipOperator, [flags])
      case .between: (.betweenOperator, [])
      case .beginsWith: (.substringOperator, [flags, (ArchivedKey.position, .integer(0))])
      case .endsWith: (.substringOperator, [flags, (ArchivedKey.position, .integer(1))])
      case .like: (.likeOperator, [flags])
      case .matches: (.matchingOperator, [flags])
      }
    return object(type, values + rest)
  }

  /// Writes a value as an object of the class that the values of an attribute of `type` have.
  mutating func constant(_ value: DataValue, as type: AttributeType) -> Reference {
    switch (type, value) {
    case (.boolean, .integer(let number)): plain(.boolean(number != 0))
    case (.integer16, .double(let number)), (.integer32, .double(let number)),
      (.integer64, .double(let number)):
      Int64(exactly: number).map { plain(.integer($0)) } ?? plain(.real(number))
    case (.double, .integer(let number)), (.float, .integer(let number)):
      plain(.real(Double(number)))
    case (.decimal, .integer(let number)): decimal("\(number)")
    case (.decimal, .double(let number)): decimal("\(number)")
    case (.uri, .string(let text)): url(text)
    default: constant(value)
    }
  }

  mutating func constant(_ value: DataValue) -> Reference {
    switch value {
    case .null: .null
    case .boolean(let flag): plain(.boolean(flag))
    case .integer(let number): plain(.integer(number))
    case .double(let number): plain(.real(number))
    case .string(let text): string(text)
    case .date(let seconds): date(seconds)
    case .uuid(let uuid): self.uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .binary(let bytes): plain(.data(bytes))
    case .objectID(let id): url(id.uri)
    }
  }

  /// - Parameter text: The number in Swift's notation, such as `-12.5` or `1e-07`.
  private mutating func decimal(_ text: String) -> Reference {
    let parts = text.split(separator: "e")
    let digits = (parts.first ?? "").drop { $0 == "-" }.split(separator: ".")
    let fraction = digits.count > 1 ? digits[1] : ""
    var mantissa = UInt64((digits.first ?? "") + fraction) ?? 0
    var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
    if mantissa == 0 { exponent = 0 }
    while mantissa != 0, mantissa.isMultiple(of: 10) {
      (mantissa, exponent) = (mantissa / 10, exponent + 1)
    }
    return decimal(
      mantissa: mantissa, exponent: exponent, isNegative: text.hasPrefix("-") && mantissa != 0)
  }
}
