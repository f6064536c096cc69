import StoreLayout
import RecordFormats
package import SQLiteAccess
import StoreDiagnostics
import StoreModel
package import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A reader of records that a program passes as dictionaries of typed values by property.
package struct ValueRecordReader: RecordReader, ~Copyable {
  private let next: () throws -> [String: DataValue]?
  private var record = 0

  /// - Parameter next: returns the next record, or nil at the end.
  package init(next: @escaping () throws -> [String: DataValue]?) {
    self.next = next
  }

  /// Empty, because the records aren't in a file.
  package var inputName: String { "" }

  package mutating func read(into rows: PackedRows, by encoder: inout RowEncoder) throws -> Bool {
    guard let values = try next() else { return false }
    record += 1
    encoder.beginRecord(in: rows)
    do {
      try set(values, in: rows, by: &encoder)
      try encoder.endRecord(in: rows, at: .start)
    } catch let kind as RowError.Kind {
      throw RowError(kind, entity: encoder.plan.entity, record: record)
    }
    return true
  }

  /// Sets the values in the order of the plan, because the order of a dictionary differs in each run.
  private func set(
    _ values: [String: DataValue], in rows: PackedRows, by encoder: inout RowEncoder
  ) throws {
    var count = 0
    for (index, field) in encoder.plan.fields.enumerated() {
      guard let value = values[field.name] else { continue }
      count += 1
      do {
        try encoder.set(index, toTyped: value, in: rows)
      } catch let problem as ValueError {
        throw RowError.Kind.value(property: field.name, shown: value.shown, problem)
      }
    }
    guard count < values.count else { return }
    let known = Set(encoder.plan.fields.map(\.name))
    guard let unknown = values.keys.filter({ !known.contains($0) }).min() else { return }
    throw encoder.plan.unknown(unknown)
  }
}

extension RowEncoder {
  /// Sets a typed value in the row.
  package mutating func set(_ field: Int, toTyped value: DataValue, in rows: PackedRows) throws {
    switch plan.fields[field].content {
    case .attribute(let type, let isExternal):
      try set(field, toStored: type.stored(value, isExternal: isExternal), in: rows)
    case .toOne(let toOne):
      guard var text = try Self.description(of: value, for: toOne) else {
        return try set(field, to: .null, in: rows)
      }
      try text.withUTF8 { try set(field, to: .text($0), in: rows) }
    }
  }

  /// Returns the destination in the notation of text formats, or nil for NULL.
  private static func description(of value: DataValue, for toOne: InsertPlan.ToOne) throws
    -> String?
  {
    switch (value, toOne.uniqueKey) {
    case (.null, _): return nil
    case (.objectID(let id), _): return id.uri
    case (.string(let text), let unique?):
      // Here, text is always a value of the unique attribute. Text that looks like a predicate or an object ID is
      // therefore compared in a predicate.
      let predicate = try FormatPredicate(
        parsing: "%K == %@", arguments: [.value(.string(unique.attribute)), .value(value)])
      return RowDescription.begins(text.utf8) || text.hasPrefix("x-coredata:")
        ? "(\(predicate.format))" : text
    case (.integer(let number), _?): return String(number)
    case (.uuid(let uuid), _?): return uuid.uuidString
    case (.string, nil), (.integer, nil), (.uuid, nil), (.boolean, _), (.double, _), (.date, _),
      (.binary, _):
      throw toOne.noObjectID
    }
  }
}
