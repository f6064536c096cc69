import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreEngine
import StoreLayout
import StorePredicate
import StoreSQL
import StoreVerification

/// `storetool page-value`, for the page of `browse`: the bytes of one value.
struct PageValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-value", _superCommandName: Storetool.name,
    abstract: "Writes one value for the page of 'browse'.", shouldDisplay: false)

  @Argument var object: String
  @Argument var attribute: String
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func validate() throws {
    if ObjectID(text: object) == nil { throw ValidationError("'\(object)' is no object ID") }
  }

  func run() throws {
    guard let id = ObjectID(text: object) else { return }
    let store = try Workspace(options, closest: closest).openStore(having: .entity(id.entity))
    try store.store.read { connection in
      let description = try ObjectDescription(
        of: id.entity, id.primaryKey, first: 0, in: store.context(), on: connection)
      let shape = description.shape
      guard let column = shape.columns.firstIndex(where: { $0.name == attribute }) else {
        throw DiagnosticFailure(
          Diagnostic(
            .error, "predicate.unknown-key-path", "'\(id.entity)' has no attribute '\(attribute)'",
            cause: .usage, help: []))
      }
      let row = UnsafePointer(description.values.cells(ofRow: 0))
      try write(row[shape.cells[column]], as: shape.columns[column].content, in: description)
    }
  }

  private func write(
    _ cell: PackedRows.Cell, as content: RowShape.Content, in object: ObjectDescription
  ) throws {
    switch (cell.kind, content) {
    case (.text, _), (.blob, .data):
      try OutputFile.standard.write(object.values.bytes(of: cell))
    case (.blob, .externalData):
      var failure: (any Error)?
      try object.shape.largeValues?.read(object.values.bytes(of: cell)) {
        do { try OutputFile.standard.write($0) } catch { failure = error }
      }
      if let failure { throw failure }
    case (.null, _): break
    case (.integer, _): Terminal.out.send("\(cell.integer)")
    case (.real, _): Terminal.out.send("\(cell.real)")
    case (.blob, _): try OutputFile.standard.write(object.values.bytes(of: cell))
    }
  }
}
