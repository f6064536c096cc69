import StoreLayout
import StoreModel
import StorePredicate

/// A request of the same shape as another, with values that no request is likely to have.
struct RequestProbe {
  static let limit = 1_048_573
  static let offset = 1_048_571

  let request: StoreFetchRequest
  let values: [Value]

  init(_ shape: RequestShape) {
    var values: [Value] = []
    var request = shape.request
    request.predicate = request.predicate?.replacingBound(&values)
    request.refinement = request.refinement?.replacingBound(&values)
    if request.limit != nil { request.limit = Self.limit }
    if request.offset != 0 { request.offset = Self.offset }
    (self.request, self.values) = (request, values)
  }

  /// Nil where it does not fit the model.
  func compiled(
    in layout: StoreLayout, _ storeUUID: String?
  ) -> (query: CompiledQuery, constants: [(value: Value, type: ValueType)])? {
    do {
      let checked = try CheckedRequest(request, in: layout.model, RequestTexts())
      let query = try checked.compiled(in: layout, storeUUID, RequestTexts()) {
        compiler throws(CheckError) in
        try compiler.compile()
      }
      var constants: [(value: Value, type: ValueType)] = []
      checked.predicate?.collectBound(&constants)
      return (query, constants)
    } catch {
      return nil
    }
  }
}

extension FormatPredicate {
  fileprivate func replacingBound(_ values: inout [Value]) -> FormatPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      if comparison.binds { comparison.right.replaceBound(&values) }
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.replacingBound(&values) })
    case .or(let members): return .or(members.map { $0.replacingBound(&values) })
    case .not(let negated): return .not(negated.replacingBound(&values))
    }
  }
}

extension FormatExpression {
  fileprivate mutating func replaceBound(_ values: inout [Value]) {
    switch kind {
    case .constant(let value) where value.isBound:
      values.append(value.probe(values.count))
      kind = .constant(values[values.count - 1])
    case .list(var members):
      for index in members.indices {
        guard case .constant = members[index].kind else { continue }
        members[index].replaceBound(&values)
      }
      kind = .list(members)
    default: break
    }
  }
}

extension TypedPredicate {
  /// What the constants have become that a shape leaves out.
  fileprivate func collectBound(_ constants: inout [(value: Value, type: ValueType)]) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      let plain = Comparison(
        comparison.left.expression, comparison.operator, comparison.right.expression,
        modifier: comparison.modifier, options: comparison.options)
      guard plain.binds, !comparison.left.type.isCollection else { break }
      if case .list(let members) = comparison.right.kind {
        for member in members { member.collectBound(&constants) }
      } else {
        comparison.right.collectBound(&constants)
      }
    case .and(let members), .or(let members):
      for member in members { member.collectBound(&constants) }
    case .not(let negated): negated.collectBound(&constants)
    }
  }
}

extension TypedExpression {
  fileprivate func collectBound(_ constants: inout [(value: Value, type: ValueType)]) {
    if let constant, constant.isBound { constants.append((constant, type)) }
  }
}
