package import StoreLayout
import StoreModel
import StorePredicate
package import SQLiteAccess

/// The statement of all requests of one shape, and where the values of each of them go.
///
/// Which values of the statement are those of the request is found by compiling a second request of the same shape,
/// with values that stand nowhere else. Where the two statements differ in more than these values, there is no
/// template.
package struct QueryTemplate: Sendable {
  package let columns: [ResultColumn]
  private let statement: RenderedSQL
  private let slots: [Slot]
  private let conversions: [Conversion]

  /// A value of the statement that is one of the request.
  private struct Slot {
    enum Source: Hashable {
      case parameter(Int)
      case limit
      case offset
    }

    var position: Int
    var source: Source
  }

  /// How a value of the request becomes what the statement compares with.
  private struct Conversion {
    var type: ValueType
    /// Of that kind, or the request has to be looked at.
    var example: Value

    func bound(_ value: Value) -> SQLiteValue? {
      switch (type, value) {
      case (.attribute(let type), _):
        guard let converted = type.compared(with: value), converted.hasKind(of: example) else {
          return nil
        }
        return SQLiteValue(converted)
      case (.object, .objectID(let id)): return .integer(id.primaryKey)
      default: return nil
      }
    }
  }

  /// - Parameter query: what the shape's own request has been compiled to.
  /// - Returns: nil where the statement may be another one for other values.
  package init?(
    _ query: CompiledQuery, of shape: RequestShape, in layout: StoreLayout, storeUUID: String?
  ) {
    let probe = RequestProbe(shape)
    guard let probed = probe.compiled(in: layout, storeUUID) else { return nil }
    let (statement, other) = (RenderedSQL(query.sql), RenderedSQL(probed.query.sql))
    guard statement.text == other.text, statement.values.count == other.values.count,
      query.columns == probed.query.columns, probed.constants.count == shape.parameters.count
    else { return nil }
    conversions = probed.constants.map { Conversion(type: $0.type, example: $0.value) }
    var sources: [SQLiteValue: Slot.Source] = [:]
    for (index, value) in probe.values.enumerated() {
      guard conversions[index].type.isBoundAsItIs,
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
    // All of them are found, and with the request's own values there the statement is the request's own.
    guard Set(slots.map(\.source)).count == sources.count, bound(for: shape) == statement,
      zip(statement.values, other.values).enumerated().allSatisfy({ position, pair in
        pair.0 == pair.1 || slots.contains { $0.position == position }
      })
    else { return nil }
  }

  /// The statement of a request of this shape; nil for one that has to be compiled, as its values don't fit.
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

extension ValueType {
  /// A constant of this type is bound as its conversion leaves it.
  fileprivate var isBoundAsItIs: Bool {
    switch self {
    case .object: true
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date, .string,
        .uri, .uuid:
        true
      case .binary, .transformable, .undefined, .objectID, .composite: false
      }
    case .any, .entity, .collection: false
    }
  }
}
