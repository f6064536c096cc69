import RecordFormats
import StoreImport
import ArgumentParser
import PredicateSQL
import StoreDiagnostics
import StoreCore
import StoreEngine
import StoreLayout
import StoreModel
import StorePredicate

struct ExportCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Storetool.name,
    abstract: "Write rows with all of their values and relationships.",
    discussion: """
      'import' reads the result. Each record contains $entity, $id, its attributes, its to-one relationships as \
      object IDs, and its to-many relationships as arrays of object IDs. Without ENTITY, all rows are written. \
      Formats other than NDJSON and JSON require one entity that has no subentities. A value whose \
      external file is missing is written as NULL. In an SQL table that several entities share, rows whose \
      entity number isn't in the model are skipped. Missing files and skipped rows are counted, and are \
      errors with --strict.
      --where selects rows of one entity. In NDJSON and JSON, related rows that the model requires are also \
      written. The output omits references to rows that it doesn't contain, and a note shows their number. \
      Importing this output into the same store removes these references from the exported rows.

        storetool export > all.ndjson
        storetool export Order --where 'placedAt >= "2026-01-01"' > orders.ndjson
        storetool export Product --format csv > products.csv
      """)

  @Argument(help: "The entities to write. Default: all entities.", completion: .furtherEntities)
  var entities: [String] = []

  @OptionGroup var condition: WhereOption

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @Option(help: "The output format. 'import' reads ndjson, json, csv and tsv.")
  var format = RowFormat.ndjson

  @OptionGroup var table: TableOptions

  @Flag(
    help:
      "Fail if the external file of a value is missing, or if a row has an unknown entity."
  )
  var strict = false

  func validate() throws {
    if !condition.predicates.isEmpty && entities.count != 1 {
      throw ValidationError("--where requires one entity")
    }
  }

  func run() throws {
    let store = try Workspace(options, closest: closest).openStore(
      having: entities.first.map(Subject.entity))
    var style = table.style
    style.showsNull = true
    var export = try Export(of: entities, in: store.layout, as: format, style: style)
    let matching = try matchingRows(in: store)
    let unread = UnreadValues()
    let summary = try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read {
        try export.run(
          choosing: matching, isStrict: strict, from: $0,
          store.context(counting: strict ? nil : unread), to: OutputFile.standard(for: format),
          progress: report)
      }
    }
    Terminal.noteLeftOut(of: style)
    let leftOut = summary.stray.flatMap(\.diagnostics).map { $0.with(.warning) }
    Terminal.report(
      leftOut + unread.warnings(beside: store.store) + (summary.selection?.notes(in: format) ?? []))
  }

  /// Returns the rows that match `--where`; nil for all rows.
  private func matchingRows(
    in store: OpenStore
  ) throws -> (rows: MatchingRows, entity: EntityLayout)? {
    guard let name = entities.first, let text = try condition.text(),
      let entity = store.layout.entity(named: name)
    else { return nil }
    var request = StoreFetchRequest(try store.model.requireEntity(named: name))
    request.predicate = try text.predicate()
    var texts = RequestTexts()
    texts.predicate = text
    let rows = try request.matchingRows(
      in: store.layout, storeUUID: store.store.metadata.uuid, texts: texts)
    return (rows, entity)
  }
}

extension ExportSelection {
  /// Returns notes about rows that are written in addition to the requested ones, and about references that aren't
  /// written.
  fileprivate func notes(in format: RowFormat) -> [DiagnosticMessage] {
    func list(_ counts: [Count]) -> String {
      counts.map { "\(Int($0.count).grouped) \($0.name)" }.joined(separator: ", ")
    }
    var notes: [DiagnosticMessage] = []
    if !required.isEmpty {
      notes.append(
        DiagnosticMessage(
          .note, "export.required-rows",
          "also written, because the model requires them as partners: \(list(required))"))
    }
    let missing = leftOut.filter(\.isRequired)
    let others = leftOut.filter { !$0.isRequired }
    if !others.isEmpty {
      notes.append(
        DiagnosticMessage(
          .note, "export.left-out",
          "the output omits references to rows that it doesn't contain: \(list(others))"))
    }
    if !missing.isEmpty {
      notes.append(
        DiagnosticMessage(
          .warning, "export.required-left-out",
          "\(format.rawValue) can't contain the rows that required relationships refer to: "
            + missing.map { "\($0.name) (\(Int($0.count).counted("row")))" }.joined(separator: ", ")
        ).helping("an import requires these rows; --format ndjson also writes them"))
    }
    return notes
  }
}
