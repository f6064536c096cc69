import StorePredicate

/// Swift code that creates a predicate or an expression. The result is equal to the predicate or expression that the
/// parser creates from its text.
extension SwiftCode {
  init(_ predicate: FormatPredicate) {
    self =
      switch predicate {
      case .constant(let flag): .text(".constant(\(flag))")
      case .comparison(let comparison): .call(".comparison", [SwiftCode(comparison)])
      case .and(let members): .call(".and", [.array(members.map { SwiftCode($0) })])
      case .or(let members): .call(".or", [.array(members.map { SwiftCode($0) })])
      case .not(let negated): .call(".not", [SwiftCode(negated)])
      }
  }

  private init(_ comparison: FormatComparison) {
    var arguments = [
      SwiftCode(comparison.left), .text(".\(SwiftName.escaped("\(comparison.operator)"))"),
      SwiftCode(comparison.right),
    ]
    if comparison.modifier != .direct { arguments.append("modifier: .\(comparison.modifier)") }
    if !comparison.options.isEmpty {
      let options = SwiftCode.array(comparison.options.names.map { .text(".\($0)") })
      arguments.append(.labelled("options", options))
    }
    self = .call(".init", arguments)
  }

  init(_ expression: FormatExpression) {
    switch expression.kind {
    case .constant(let value): self = .call(".value", [SwiftCode(value)])
    case .keyPath(let base, let steps):
      let keys = steps.compactMap(\.key)
      if base.kind == .selfObject, keys.count == steps.count {
        self = .call(".keyPath", keys.map { .string($0) })
      } else {
        self = .call(".init", [Self.node(expression.kind)])
      }
    default: self = .call(".init", [Self.node(expression.kind)])
    }
  }

  private static func node(_ kind: FormatExpression.Kind) -> SwiftCode {
    switch kind {
    case .constant(let value): .call(".constant", [SwiftCode(value)])
    case .selfObject: ".selfObject"
    case .variable(let name): .call(".variable", [.string(name)])
    case .keyPath(let base, let steps):
      .call(".keyPath", [.labelled("base", SwiftCode(base)), .array(steps.map { $0.code })])
    case .list(let members): .call(".list", [.array(members.map { SwiftCode($0) })])
    case .arithmetic(let symbol, let left, let right):
      .call(".arithmetic", [".\(symbol)", SwiftCode(left), SwiftCode(right)])
    case .negated(let operand): .call(".negated", [SwiftCode(operand)])
    case .function(let function, let arguments):
      .call(".function", [".\(function)", .array(arguments.map { SwiftCode($0) })])
    case .method(let receiver, let selector, let arguments):
      .call(
        ".method",
        [
          .labelled("receiver", SwiftCode(receiver)), .labelled("selector", .string(selector)),
          .labelled("arguments", .array(arguments.map { SwiftCode($0) })),
        ])
    case .cast(let value, let type): .call(".cast", [SwiftCode(value), "to: .\(type)"])
    case .ternary(let condition, let whenTrue, let whenFalse):
      .call(".ternary", [SwiftCode(condition), SwiftCode(whenTrue), SwiftCode(whenFalse)])
    case .subquery(let collection, let variable, let condition):
      .call(
        ".subquery",
        [
          .labelled("collection", SwiftCode(collection)), .labelled("variable", .string(variable)),
          SwiftCode(condition),
        ])
    case .set(let word, let left, let right):
      .call(".set", [".\(word)", SwiftCode(left), SwiftCode(right)])
    case .element(let collection, let index):
      .call(".element", [SwiftCode(collection), index.code])
    }
  }

  init(_ value: DataValue) {
    self =
      switch value {
      case .null: ".null"
      case .boolean(let flag): .text(".boolean(\(flag))")
      case .integer(let number): .text(".integer(\(number))")
      case .double(let number): .text(".double(\(SwiftLiteral.double(number)))")
      case .string(let text): .call(".string", [.string(text)])
      case .date(let seconds): .text(".date(\(SwiftLiteral.double(seconds)))")
      case .uuid(let uuid): .call(".uuid", [SwiftLiteral.uuid(uuid, type: ".init")])
      case .binary(let bytes): .call(".binary", [SwiftLiteral.bytes(bytes)])
      case .objectID(let id):
        .call(
          ".objectID",
          [
            .initializer(
              .labelled("store", id.store.map { .string($0) } ?? "nil"),
              .labelled("entity", .string(id.entity)), .text("primaryKey: \(id.primaryKey)"))
          ])
      }
  }
}

extension KeyPathStep {
  fileprivate var code: SwiftCode {
    switch kind {
    case .key(let key): .text(".init(.key(\(SwiftLiteral.string(key))))")
    case .collection(let function): .text(".init(.collection(.\(function)))")
    }
  }
}

extension FormatIndex {
  fileprivate var code: SwiftCode {
    switch self {
    case .first: ".first"
    case .last: ".last"
    case .size: ".size"
    case .at(let place): .call(".at", [SwiftCode(place)])
    }
  }
}

extension FormatComparison.Options {
  fileprivate var names: [String] {
    let all: [(Self, String)] = [
      (.caseInsensitive, "caseInsensitive"), (.diacriticInsensitive, "diacriticInsensitive"),
      (.normalized, "normalized"), (.localeSensitive, "localeSensitive"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
