import KeyedArchives
import PropertyLists
import StorePredicate

/// An expression of a mapping model, as Core Data archives it (docs/formats/mapping-models.md).
indirect enum ArchivedExpression {
  /// One that the predicate language has; `$source` is the source row.
  case plain(Expression)
  /// What has become of the source rows that an expression leads to.
  case destinations(of: Expression)
  /// A method of the app's own class, which gets these arguments.
  case policy(selector: String, arguments: [Expression])
  /// For the message: what it is.
  case unknown(String)

  /// - Parameter text: the archive in base64.
  init(base64 text: String) {
    guard let archive = KeyedArchive(base64: text) else {
      self = .unknown("no keyed archive")
      return
    }
    var decoder = Decoder()
    self = decoder.decode(archive.rootObject)
  }

  private static let limit = 64

  /// Reads the archived tree; an archive may lead in circles.
  private struct Decoder {
    var depth = 0

    mutating func decode(_ object: KeyedArchive.Object) -> ArchivedExpression {
      guard depth < ArchivedExpression.limit else { return .unknown("too deep an expression") }
      depth += 1
      defer { depth -= 1 }
      switch object["NSExpressionType"]?.integer {
      case 0: return constant(object)
      case 1: return .plain(Expression(.selfObject))
      case 2:
        return object["NSVariable"]?.text.map { .plain(Expression(.variable($0))) }
          ?? unknown(object)
      case 3, 4: return call(object)
      case 10: return object["NSKeyPath"]?.text.map { .plain(.path($0)) } ?? unknown(object)
      case 14: return list(object["NSCollection"]?.members ?? [], object)
      default: return unknown(object)
      }
    }

    private func unknown(_ object: KeyedArchive.Object) -> ArchivedExpression {
      .unknown(object.className ?? "an object without a class")
    }

    private func constant(_ object: KeyedArchive.Object) -> ArchivedExpression {
      guard let value = object["NSConstantValue"] else { return .plain(.value(.null)) }
      let constant: Value? =
        switch value.plain {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .real(let number): .double(number)
        case .date(let seconds): .date(seconds)
        case .data(let bytes): .binary(bytes)
        case .string(let text): .string(text)
        case .reference, .array, .dictionary, nil:
          value.text.map { .string($0) } ?? value["NS.time"]?.seconds.map { .date($0) }
        }
      return constant.map { .plain(.value($0)) } ?? unknown(value)
    }

    private mutating func list(
      _ members: [KeyedArchive.Object], _ object: KeyedArchive.Object
    ) -> ArchivedExpression {
      guard let members = plain(members) else { return unknown(object) }
      return .plain(Expression(.list(members)))
    }

    /// A key path is a call of `valueForKeyPath:`.
    private mutating func call(_ object: KeyedArchive.Object) -> ArchivedExpression {
      guard let selector = object["NSSelectorName"]?.text else { return unknown(object) }
      guard let arguments = plain(object["NSArguments"]?.members ?? []) else {
        return unknown(object)
      }
      let operand = object["NSOperand"]
      switch (operand?["NSVariable"]?.text, selector) {
      case ("entityPolicy", _): return .policy(selector: selector, arguments: arguments)
      case ("manager", "destinationInstancesForEntityMappingNamed:sourceInstances:"),
        ("manager", "destinationInstancesForSourceRelationshipNamed:sourceInstances:"):
        return arguments.last.map { .destinations(of: $0) } ?? unknown(object)
      case ("manager", _): return .unknown("'\(selector)' of $manager")
      default: break
      }
      if selector == "valueForKeyPath:" || selector == "valueForKey:" {
        return keyPath(operand, arguments) ?? unknown(object)
      }
      if let function = Self.function(selector, arguments) { return .plain(function) }
      guard let operand, case .plain(let receiver) = decode(operand) else { return unknown(object) }
      return .plain(
        Expression(.method(receiver: receiver, selector: selector, arguments: arguments)))
    }

    private mutating func keyPath(
      _ operand: KeyedArchive.Object?, _ arguments: [Expression]
    ) -> ArchivedExpression? {
      guard let operand, case .plain(let base) = decode(operand), let path = arguments.first,
        case .keyPath(_, let steps) = path.kind
      else { return nil }
      return .plain(Expression(.keyPath(base: base, steps)))
    }

    private static func function(_ selector: String, _ arguments: [Expression]) -> Expression? {
      let operators: [String: ArithmeticOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply,
        "divide:by:": .divide, "raise:toPower:": .power,
      ]
      if let symbol = operators[selector], arguments.count == 2 {
        return Expression(.arithmetic(symbol, arguments[0], arguments[1]))
      }
      return Function(rawValue: selector).map { Expression(.function($0, arguments)) }
    }

    /// Nil when one of them is none of the predicate language.
    private mutating func plain(_ objects: [KeyedArchive.Object]) -> [Expression]? {
      var expressions: [Expression] = []
      for object in objects {
        guard case .plain(let expression) = decode(object) else { return nil }
        expressions.append(expression)
      }
      return expressions
    }
  }
}

extension KeyedArchive.Object {
  fileprivate var seconds: Double? {
    switch plain {
    case .real(let seconds)?: seconds
    case .integer(let seconds)?: Double(seconds)
    default: nil
    }
  }
}

extension Expression {
  /// The key path of the row itself that `text` writes.
  static func path(_ text: String) -> Expression {
    let steps = text.split(separator: ".").map { part -> KeyPathStep in
      CollectionOperator(rawValue: String(part)).map { KeyPathStep(.collection($0)) }
        ?? KeyPathStep(.key(String(part)))
    }
    return Expression(.keyPath(base: Expression(.selfObject), steps))
  }
}
