import RecordFormats
import SQLiteAccess
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RowDifference {
  /// Copies a difference, which can then be used on other threads.
  ///
  /// - Throws: `ExternalValueMissing` if a file can't be read and missing files aren't counted.
  init?(_ visited: VisitedDifference) throws {
    guard let id = (visited.new ?? visited.old)?.objectID else { return nil }
    kind = visited.kind
    entity = visited.entity.name
    objectID = id
    oldObjectID = visited.old?.objectID
    properties = try visited.properties.map { index in
      let property = visited.entity.properties[index]
      return PropertyDifference(
        property: property.name, old: try visited.old?.value(of: property, at: index),
        new: try visited.new?.value(of: property, at: index))
    }
  }
}

extension VisitedDifference.Row {
  private var cells: UnsafeMutablePointer<PackedRows.Cell> { rows.cells(ofRow: 0) }

  fileprivate var objectID: ObjectID? { objectID(inColumn: 0) }

  /// Returns nil for NULL.
  private func objectID(inColumn column: Int) -> ObjectID? {
    let cell = cells[shape.cells[column]]
    guard cell.kind == .integer, case .objectID(let prefixes) = shape.columns[column].content
    else { return nil }
    switch prefixes {
    case .fixed(let prefix): return ObjectID(prefix: prefix, key: cell.integer)
    case .byEntity(let number, let byNumber):
      let entity = cells[number].integer
      return ObjectID(prefix: byNumber[entity], entity: entity, key: cell.integer)
    }
  }

  /// Returns the value of a property, or nil if its file can't be read.
  fileprivate func value(of property: ComparedProperty, at index: Int) throws -> ComparedValue? {
    let column = Self.column(ofProperty: index)
    let content = shape.columns[column].content
    let cell = cells[shape.cells[column]]
    switch property.kind {
    case .toOne: return .toOne(objectID(inColumn: column))
    case .toMany:
      guard case .objectIDs(let prefixes) = content else { return .toMany([]) }
      return .toMany(ObjectIDList(pairs: rows.bytes(of: cell), prefixes: prefixes).objectIDs)
    case .attribute:
      guard content == .externalData, cell.kind == .blob, let reader = shape.largeValues else {
        return .attribute(DataValue(rows.value(of: cell), as: content))
      }
      var value: ComparedValue?
      try reader.read(rows.bytes(of: cell)) { value = .attribute(.binary(Array($0))) }
      return value
    }
  }
}

extension ObjectIDList {
  fileprivate var objectIDs: [ObjectID] {
    var ids: [ObjectID] = []
    forEach { number, prefix, key in
      guard let id = ObjectID(prefix: prefix, entity: number, key: key) else { return }
      ids.append(id)
    }
    return ids
  }
}

extension ObjectID {
  /// - Parameter prefix: the URI without the key.
  fileprivate init?(prefix: [UInt8], key: Int64) {
    self.init(uri: "\(String(decoding: prefix, as: UTF8.self))1")
    primaryKey = key
  }

  /// The ID of a row whose entity is unknown contains the entity's number instead of its name.
  fileprivate init?(prefix: [UInt8]?, entity: Int64, key: Int64) {
    guard let prefix else {
      self.init(store: nil, entity: "\(entity)", primaryKey: key)
      return
    }
    self.init(prefix: prefix, key: key)
  }
}

extension DataValue {
  /// Creates a value from a cell. A value that doesn't fit the column's type has the type of its storage class.
  fileprivate init(_ stored: SQLiteValue, as content: RowShape.Content) {
    self =
      switch (stored, content) {
      case (.null, _): .null
      case (.integer(let number), .boolean) where number == 0 || number == 1: .boolean(number == 1)
      case (.integer(let number), .date): .date(Double(number))
      case (.integer(let number), .double), (.integer(let number), .float): .double(Double(number))
      case (.integer(let number), _): .integer(number)
      case (.real(let number), .date): .date(number)
      case (.real(let number), _): .double(number)
      case (.text(let text), _): .string(text)
      case (.blob(let bytes), .uuid) where bytes.count == 16:
        .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
      case (.blob(let bytes), _): .binary(bytes)
      }
  }
}
