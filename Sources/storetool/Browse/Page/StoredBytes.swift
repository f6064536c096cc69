import RecordFormats
import StoreDiagnostics
import StoreLayout
import StorePredicate
import SQLiteAccess
import StoreVerification
import StoreCore

/// The value of one attribute of one row, as it is stored.
struct StoredBytes {
  private let object: ObjectID
  private let attribute: String

  /// Nil for what is no object ID.
  init?(of object: String, _ attribute: String) {
    guard let id = ObjectID(text: object) else { return nil }
    (self.object, self.attribute) = (id, attribute)
  }

  /// - Throws: what opening and reading the store throw; a `DiagnosticError` for what is no attribute.
  func read(
    _ options: StoreOptions, closest: Bool, _ use: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    let store = try Workspace(options, closest: closest).openStore(having: .entity(object.entity))
    try store.store.read { connection in
      let found = try ObjectDescription(
        of: object.entity, object.primaryKey, first: 0, in: store.context(), on: connection)
      guard let column = found.shape.columns.firstIndex(where: { $0.name == attribute }) else {
        throw DiagnosticError(
          Diagnostic(
            .error, "predicate.unknown-key-path",
            "'\(object.entity)' has no attribute '\(attribute)'", cause: .notFound))
      }
      let cell = found.values.cells(ofRow: 0)[found.shape.cells[column]]
      switch cell.kind {
      case .null: break
      case .integer: try Self.use("\(cell.integer)", use)
      case .real: try Self.use("\(cell.real)", use)
      case .text: try use(found.values.bytes(of: cell))
      case .blob where found.shape.columns[column].content == .externalData:
        var failure: (any Error)?
        try found.shape.largeValues?.read(found.values.bytes(of: cell)) { bytes in
          do { try use(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
      case .blob: try use(found.values.bytes(of: cell))
      }
    }
  }

  private static func use(
    _ text: String, _ use: (UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    var text = text
    try text.withUTF8(use)
  }
}
