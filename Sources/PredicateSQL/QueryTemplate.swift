package import SQLiteAccess
package import StoreLayout
import StoreModel
import StorePredicate

/// The statement that all requests of one shape (`RequestShape`) share, with the positions of their values in it.
///
/// The positions are found by compiling a second request of the same shape, with values that don't occur elsewhere. If
/// the two statements differ in more than these values, the initializer returns nil.
package struct QueryTemplate: Sendable {
  package let columns: [ResultColumn]
  private let statement: RenderedSQL
  private let slots: [Slot]
  private let conversions: [Conversion]

  /// A position in the statement for a value of the request.
  private struct Slot {
    enum Source: Hashable {
      case parameter(Int)
      case limit
      case offset
    }

    var position: Int
    var source: Source
  }

  /// The conversion of a value of the request to the value in the statement.
  private struct Conversion {
    var type: ValueType
    /// A value of the required kind, such as an integer. A request with a value of another kind must be compiled.
    var example: DataValue

    func bound(_ value: DataValue) -> SQLiteValue? {
      switch (type, value) {
      case (.attribute(let type), _):
        guard let converted = type.compared(with: value), converted.placeholder == example else {
          return nil
        }
        return SQLiteValue(converted)
      case (.object, .objectID(let id)): return .integer(id.primaryKey)
      default: return nil
      }
    }
  }

  /// Creates a template, or nil if other values could require another statement.
  ///
  /// - Parameter query: the compiled query of `shape.request`.
  package init?(
    _ query: CompiledQuery, of shape: RequestShape, in layout: StoreLayout, storeUUID: String?
  ) {
    let probe = RequestProbe(shape)
    guard let probed = probe.compiled(in: layout, storeUUID) else { return nil }
    let (statement, other) = (RenderedSQL(query.sql), RenderedSQL(probed.query.sql))
    guard statement.text == other.text, statement.values.count == other.values.count,
      query.columns == probed.query.columns, probed.constants.count == shape.parameters.count
    else { return nil }
    conversions = probed.constants.map { Conversion(type: $0.type, example: $0.value.placeholder) }
    var sources: [SQLiteValue: Slot.Source] = [:]
    for (index, value) in probe.values.enumerated() {
      // The statement contains constants of these types exactly as `Conversion` converts them.
      guard [.number, .text, .date, .uuid, .object].contains(conversions[index].type.family),
        let bound = conversions[index].bound(value),
        sources.updateValue(.parameter(index), forKey: bound) == nil
      else { return nil }
    }
    if shape.request.limit != nil { sources[.integer(Int64(RequestProbe.limit))] = .limit }
    if shape.request.offset != 0 { sources[.integer(Int64(RequestProbe.offset))] = .offset }
    self.statement = statement
    columns = query.columns
    slots = other.values.enumerated().compactMap { position, value in
      sources[value].map { Slot(position: position, source: $0) }
    }
    // Checks that all values have been found, and that the template returns the request's own statement for its values.
    guard Set(slots.map(\.source)).count == sources.count, bound(for: shape) == statement,
      zip(statement.values, other.values).enumerated().allSatisfy({ position, pair in
        pair.0 == pair.1 || slots.contains { $0.position == position }
      })
    else { return nil }
  }

  /// Returns the statement of a request of this shape, or nil if the request's values don't fit, so that it must be
  /// compiled.
  package func bound(for shape: RequestShape) -> RenderedSQL? {
    var values = statement.values
    for slot in slots {
      switch slot.source {
      case .parameter(let index):
        guard let value = conversions[index].bound(shape.parameters[index]) else { return nil }
        values[slot.position] = value
      case .limit: values[slot.position] = .integer(Int64(shape.request.limit ?? -1))
      case .offset: values[slot.position] = .integer(Int64(shape.request.offset))
      }
    }
    return statement.binding(values)
  }
}

/// A request of the same shape as another request, but with values that are unlikely to occur elsewhere.
struct RequestProbe {
  static let limit = 1_048_573
  static let offset = 1_048_571

  let request: StoreFetchRequest
  let values: [DataValue]

  init(_ shape: RequestShape) {
    var values: [DataValue] = []
    var request = shape.request
    func probe(_ value: DataValue) -> DataValue {
      let probe = value.probe(values.count)
      values.append(probe)
      return probe
    }
    request.predicate = request.predicate?.replacingBound(probe)
    request.refinement = request.refinement?.replacingBound(probe)
    if request.limit != nil { request.limit = Self.limit }
    if request.offset != 0 { request.offset = Self.offset }
    (self.request, self.values) = (request, values)
  }

  /// Returns the compiled request and its typed constants, or nil if the request doesn't fit the model.
  func compiled(
    in layout: StoreLayout, _ storeUUID: String?
  ) -> (query: CompiledQuery, constants: [(value: DataValue, type: ValueType)])? {
    do {
      let checked = try CheckedRequest(request, in: layout.model, RequestTexts())
      let query = try checked.compiled(in: layout, storeUUID, RequestTexts()) {
        compiler throws(CheckError) in
        try compiler.compile()
      }
      var constants: [(value: DataValue, type: ValueType)] = []
      checked.predicate?.collectBound(&constants)
      return (query, constants)
    } catch {
      return nil
    }
  }
}

extension TypedPredicate {
  /// Collects the `parameters` of a shape with their types.
  fileprivate func collectBound(_ constants: inout [(value: DataValue, type: ValueType)]) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      let plain = FormatComparison(
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
  fileprivate func collectBound(_ constants: inout [(value: DataValue, type: ValueType)]) {
    if let constant, constant.isBound { constants.append((constant, type)) }
  }
}

extension DataValue {
  /// Returns another value of the same kind, which is different for each `number`. A Float attribute can store these
  /// numbers exactly. Booleans, bytes and NULL are returned unchanged.
  func probe(_ number: Int) -> DataValue {
    let odd = 1_000_001 + 2 * number
    switch self {
    case .integer: return .integer(Int64(odd))
    case .double: return .double(Double(odd) + 0.5)
    case .date: return .date(Double(odd) + 0.25)
    case .string: return .string("\u{1}\(odd)\u{1}")
    case .uuid:
      let bytes = withUnsafeBytes(of: UInt32(odd).littleEndian) { Array($0) }
      return DataValue(uuid: bytes + [0x7e, 0x57, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55]) ?? self
    case .objectID(var id):
      id.primaryKey = Int64(odd)
      return .objectID(id)
    case .null, .boolean, .binary: return self
    }
  }
}
