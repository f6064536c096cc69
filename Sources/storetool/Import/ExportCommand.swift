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

/// `storetool export`
struct ExportCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Storetool.name,
    abstract: "Writes whole rows with their relationships, for import to read.",
    discussion: """
      Each record has $entity and $id, its attributes, its to-one relationships as an object ID and \
      its to-many relationships as an array of them. Without ENTITY all entities are written, \
      parents' rows and sub-entities' alike. CSV takes one entity. A value whose file is not \
      beside the store is written as NULL and counted, rows that no entity has are left out and \
      counted; --strict makes both an error.

      With --where only the rows of one entity that match, and in NDJSON and JSON those that they \
      can't be without: the partners that the model requires. All other relationships to rows that \
      are not written are left out, so that an import reads the result; a note counts them.

        storetool export > all.ndjson
        storetool export Order --where 'placedAt >= "2026-01-01"' > orders.ndjson
        storetool export Product --format csv > products.csv
      """)

  @Argument(help: "The entities to write. Default: all.", completion: .furtherEntities)
  var entities: [String] = []

  @Option(
    name: WhereOption.name, parsing: .unconditionalSingleValue, help: WhereOption.help,
    completion: .predicate())
  var predicates: [String] = []

  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @Option(help: "ndjson, json, csv or another row format. Default: ndjson.")
  var format = RowFormat.ndjson

  @OptionGroup var table: TableOptions

  @Flag(
    help:
      "Stop at the first value whose file is not beside the store, and before rows that no entity has."
  )
  var strict = false

  func validate() throws {
    if !predicates.isEmpty && entities.count != 1 {
      throw ValidationError("--where chooses rows of one entity: name it")
    }
  }

  func run() throws {
    let subject = entities.first.map(Subject.entity) ?? .nothing
    let store = try Workspace(options, closest: closest).openStore(having: subject)
    var style = table.style
    style.showsNull = true
    var export = try Export(of: entities, in: store.layout, as: format, style: style)
    let matching = try matchingRows(in: store)
    var selection: ExportSelection?
    let unread = UnreadValues()
    var stray: [StrayRows] = []
    try Progress("rows", besides: Terminal.out).following { report in
      try store.store.read { connection in
        stray = try export.strayRows(on: connection)
        if strict, let first = stray.first { throw first }
        if let (rows, entity) = matching {
          selection = try export.choose(rows, of: entity, on: connection)
        }
        try export.write(
          from: connection, store.context(counting: strict ? nil : unread),
          to: OutputFile.standard(for: format), progress: report)
      }
    }
    Terminal.noteLeftOut(of: style)
    let leftOut = stray.flatMap(\.diagnostics).map { diagnostic in
      var warning = diagnostic
      warning.severity = .warning
      return warning
    }
    Terminal.report(
      leftOut + unread.warnings(beside: store.store) + (selection?.notes(in: format) ?? []))
  }

  /// Nil for all rows.
  private func matchingRows(in store: OpenStore) throws -> (MatchingRows, EntityLayout)? {
    guard let name = entities.first, let text = try WhereOption.text(of: predicates),
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
  /// What is written that was not asked for, and what is not written of what was.
  fileprivate func notes(in format: RowFormat) -> [Diagnostic] {
    func list(_ counts: [Count]) -> String {
      counts.map { "\(Int($0.count).grouped) \($0.name)" }.joined(separator: ", ")
    }
    var notes: [Diagnostic] = []
    if !required.isEmpty {
      notes.append(
        Diagnostic(
          .note, "export.required-rows",
          "also written, since the model requires them as partners: \(list(required))"))
    }
    let missing = leftOut.filter(\.isRequired)
    let others = leftOut.filter { !$0.isRequired }
    if !others.isEmpty {
      notes.append(
        Diagnostic(
          .note, "export.left-out",
          "rows that are not written are left out of relationships: \(list(others))"))
    }
    if !missing.isEmpty {
      notes.append(
        Diagnostic(
          .warning, "export.required-left-out",
          "the model requires partners that \(format.rawValue) has no place for: \(list(missing))"
        ).helping("an import refuses such rows; --format ndjson writes their partners, too"))
    }
    return notes
  }
}
