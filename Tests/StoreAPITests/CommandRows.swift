import StoreEngine
import Foundation
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// A store of a sample model with its data, and the output of the command line for it.
struct CommandRows {
  let sample: SampleStore
  private let options: String
  private let command: BuiltCommand

  /// - Parameter loading: the command that fills the store, in `Models/Data`.
  init(_ model: String, loading: String) async throws {
    sample = try await SampleStore(model)
    let models = BuiltCommand.repository.appendingPathComponent("Models")
    options =
      "--store '\(sample.path)' --model '\(models.path)/\(model).xcdatamodeld'"
    command = BuiltCommand(in: models.appendingPathComponent("Data"))
    let loaded = try command.run("storetool \(loading) \(options)")
    try #require(loaded.status == 0, "\(loaded.errors)")
  }

  /// Returns the lines that a command prints.
  func lines(_ arguments: String) throws -> [String] {
    let outcome = try command.run("storetool \(arguments) --format ndjson \(options)")
    try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Compares rows of a type with the command's output, all properties by name.
  func expect<Object: StoredObject>(
    _ query: TypedQuery<Object>, _ arguments: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let rows = try await sample.store.fetch(query)
    let printed = try lines(arguments)
    #expect(rows.count == printed.count && !rows.isEmpty, sourceLocation: location)
    for (row, line) in zip(rows, printed) {
      let fields = try object(line)
      for (name, value) in row.value.propertyValues {
        let field = try #require(fields[name], "\(name) is not printed", sourceLocation: location)
        #expect(
          value.isPrinted(as: field), "\(name) of \(row.id): \(value), \(field)",
          sourceLocation: location)
      }
    }
    let ids = try await sample.store.fetch(query.ids)
    #expect(ids == rows.map(\.id), sourceLocation: location)
    let printedIDs = try lines("\(arguments) --ids").map { try object($0)["objectID"] as? String }
    #expect(printedIDs == ids.map(\.description), sourceLocation: location)
    let count = try await sample.store.fetch(query.count)
    #expect(
      try lines("\(arguments) --count") == [#"{"count":\#(count)}"#], sourceLocation: location)
  }

  /// Compares tuples with the command's output. The command names the values in order: `AS a`, `AS b`.
  func expect<Object: StoredObject, each Value: PropertyValue>(
    _ selection: TypedSelection<Object, repeat each Value>, _ arguments: String,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let rows = try await sample.store.fetch(selection).map { row in
      var values: [StorePredicate.DataValue] = []
      repeat values.append((each row).storeValue)
      return values
    }
    try expect(rows, arguments, location: location)
  }

  /// Compares single values with the command's output.
  func expect<Object: StoredObject, Value: PropertyValue>(
    _ request: ValueRequest<Object, Value>, _ arguments: String,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let rows = try await sample.store.fetch(request).map { [$0.storeValue] }
    try expect(rows, arguments, location: location)
  }

  private func expect(
    _ rows: [[StorePredicate.DataValue]], _ arguments: String, location: SourceLocation
  ) throws {
    let printed = try lines(arguments)
    #expect(rows.count == printed.count && !rows.isEmpty, sourceLocation: location)
    for (row, line) in zip(rows, printed) {
      let fields = try object(line).sorted { $0.key < $1.key }.map(\.value)
      #expect(row.count == fields.count, sourceLocation: location)
      for (value, field) in zip(row, fields) {
        #expect(value.isPrinted(as: field), "\(row), \(line)", sourceLocation: location)
      }
    }
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

extension StorePredicate.DataValue {
  /// Whether a JSON value equals this value.
  fileprivate func isPrinted(as field: Any) -> Bool {
    switch self {
    case .null: field is NSNull
    case .boolean(let truth): (field as? NSNumber)?.boolValue == truth
    case .integer(let number): (field as? NSNumber)?.int64Value == number
    // Compares by digits, because Foundation may decode a JSON number as Decimal. A Float is printed with a Float's
    // digits.
    case .double(let number):
      Double("\(field)") == number || Float("\(field)").map(Double.init) == number
    case .string(let text): field as? String == text
    case .uuid(let uuid): field as? String == uuid.uuidString
    case .binary(let bytes): field as? String == Data(bytes).base64EncodedString()
    case .objectID(let id): field as? String == id.uri
    case .date(let seconds): Self.date(field).map { abs($0 - seconds) < 0.001 } ?? false
    }
  }

  private static func date(_ field: Any) -> Double? {
    let text = field as? String ?? ""
    let formatter = ISO8601DateFormatter()
    if text.contains(".") { formatter.formatOptions.insert(.withFractionalSeconds) }
    return formatter.date(from: text)?.timeIntervalSinceReferenceDate
  }
}
