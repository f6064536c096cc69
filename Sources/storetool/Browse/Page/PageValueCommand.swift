import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StorePredicate
import StoreVerification

/// `storetool page-value`, for the page of `browse`: prints the bytes of one value.
struct PageValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-value", _superCommandName: Storetool.name,
    abstract: "Write one value for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var value: PageValue

  func run() throws {
    try value.read { try OutputFile.standard.write($0) }
  }
}

/// `storetool page-plain`, for the page of `browse`: prints the content of data as JSON, or nothing if it isn't plain
/// (see `PlainValue`).
struct PagePlainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-plain", _superCommandName: Storetool.name,
    abstract: "Describe the content of data for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var value: PageValue

  func run() throws {
    try value.read { bytes in
      guard let plain = PlainValue.json(of: Array(bytes)) else { return }
      var out = ByteBuffer()
      out.append(line: plain)
      try OutputFile.standard.write(out.bytes)
    }
  }
}

/// The stored value of one attribute of one row.
struct PageValue: ParsableArguments {
  @Argument var object: String
  @Argument var attribute: String
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  /// - Throws: `ValidationError` for an invalid object ID, `DiagnosticError` for an unknown attribute, or an error of
  ///   opening or reading the store.
  func read(_ use: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    guard let object = ObjectID(text: object) else {
      throw ValidationError("'\(object)' isn't an object ID")
    }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(object.entity))
    try store.store.read { connection in
      let found = try ObjectDescription(
        of: object.entity, object.primaryKey, first: 0, in: store.context(), on: connection)
      guard let column = found.shape.columns.firstIndex(where: { $0.name == attribute }) else {
        throw DiagnosticError(
          "predicate.unknown-key-path", "'\(object.entity)' has no attribute '\(attribute)'",
          cause: .notFound)
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
