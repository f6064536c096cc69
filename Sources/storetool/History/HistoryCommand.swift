import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate
import StoreVerification

struct HistoryCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", _superCommandName: Storetool.name,
    abstract: "List, count or prune the persistent history of a store.",
    discussion: """
      The output has one line per transaction. With --changes, it has one line for each change of an object. \
      The number of a transaction can be passed to --since. --entity, --object, --author, --change and \
      --property select changes. Without --changes, they select transactions that contain such a change. The \
      model is required only for the names of changed properties, the values of deleted objects that the history \
      preserves, and the subentities of --entity.

        storetool history --since 1042 --changes
        storetool history --changes --object Item/p7
        storetool history --entity Item --property done --author sync
        storetool history --statistics
        storetool history --prune --before 2026-01-01
      """)

  @Argument(help: StoreOptions.argumentHelp, completion: .stores)
  var path: LocalPath?

  @Option(
    help: ArgumentHelp(
      "List or count only transactions after this transaction, or from this date on.",
      valueName: "number|date"))
  var since: HistoryBound?

  @Flag(help: "List changes instead of transactions.")
  var changes = false

  @Flag(help: "Count transactions, and changes by entity.")
  var statistics = false

  @Flag(help: "Remove the transactions that --before specifies, and their changes.")
  var prune = false

  @Flag(help: "Exit with status 1 if the list is empty.")
  var failOnEmpty = false

  @Option(
    help: ArgumentHelp(
      "With --prune: remove the transactions before this transaction or date.",
      valueName: "number|date"))
  var before: HistoryBound?

  @Flag(help: "Only print what --prune would remove.")
  var dryRun = false

  @OptionGroup var filter: HistoryFilterOptions
  @OptionGroup var options: StoreOptions

  @Flag(help: ClosestOption.help)
  var closest = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    guard [changes, statistics, prune].filter({ $0 }).count <= 1 else {
      throw ValidationError("--changes, --statistics and --prune can't be combined")
    }
    guard prune == (before != nil) else {
      throw ValidationError("--prune and --before must be used together")
    }
    if prune && since != nil {
      throw ValidationError("--prune can't be combined with --since; use --before")
    }
    if (prune || statistics) && !filter.isEmpty {
      throw ValidationError(
        "--entity, --object, --author, --change and --property only filter lists; omit them"
      )
    }
    if failOnEmpty && (prune || statistics) {
      throw ValidationError("--fail-on-empty can't be combined with --statistics or --prune")
    }
    if prune, closest { throw ValidationError("--closest only reads; omit --prune") }
    if dryRun && !prune { throw ValidationError("--dry-run requires --prune") }
  }

  func run() throws {
    let workspace = try Workspace(options.naming(path), closest: closest)
    let path = try workspace.storePath(before: prune && !dryRun ? .writing : .reading)
    if let before {
      let facts = try pruned(before, path)
      try UnreportedChange.reporting(dryRun ? nil : path) { try FactWriter(format).print(facts) }
    } else {
      let facts = try listed(path, workspace)
      try FactWriter(format).print(facts)
      if failOnEmpty && facts.isEmpty { throw CheckFound() }
    }
  }

  private func pruned(_ bound: HistoryBound, _ path: LocalPath) throws -> Facts {
    Signals.cancelOnInterrupt()
    let store = try Store.open(path, dryRun ? .reading : .writing)
    let work = { (connection: Connection) in
      let log = try HistoryLog(connection)
      let cloudTables = try connection.tableNames().filter { $0.hasPrefix(CloudTables.prefix) }
      if let first = cloudTables.first { Terminal.report([Self.cloudWarning(first)]) }
      return dryRun ? try log.countBefore(bound) : try log.prune(before: bound)
    }
    let pruned = dryRun ? try store.read(work) : try store.write(work)
    return .page(
      PruningFacts(
        pruned: !dryRun, transactions: pruned.transactions, changes: pruned.changes))
  }

  private struct PruningFacts: Encodable {
    let pruned: Bool
    let transactions, changes: Int64
  }

  private static func cloudWarning(_ table: String) -> DiagnosticMessage {
    DiagnosticMessage(
      .warning, "history.cloud",
      "the store is synchronized with CloudKit, because it has the table \(table)",
      help: [
        """
        NSPersistentCloudKitContainer sends changes from this history: changes that it hasn't sent \
        yet are lost, or it resets the store and downloads all rows again
        """
      ])
  }

  private func listed(_ path: LocalPath, _ workspace: Workspace) throws -> Facts {
    let store = try Store.open(path, .reading, acceptsFaults: true)
    let layout = try workspace.identifiedLayout(of: store, infers: true)
    return try store.read { connection in
      let log = try HistoryLog(connection)
      try log.check(since)
      if let warning = try log.warning(since: since) { Terminal.report([warning]) }
      let names = try connection.primaryKeys().map { ($0.number, $0.name) }
      let facts = HistoryFacts(
        layout: layout, names: Dictionary(names) { first, _ in first },
        storeUUID: store.metadata.uuid)
      if statistics {
        return facts.facts(
          of: try log.statistics(since: since), try log.transactions(since: since),
          lastTransaction: try log.lastTransaction())
      }
      return try listed(log, facts)
    }
  }

  private func listed(_ log: HistoryLog, _ facts: HistoryFacts) throws -> Facts {
    let selection = try HistorySelection(filter, in: facts)
    let needsTransactions = !changes || filter.author != nil
    let all = needsTransactions ? try log.transactions(since: since) : []
    let transactions = all.filter(selection.includes)
    Terminal.report([selection.note(on: all)].compactMap(\.self))
    guard changes || filter.concernsChanges else { return HistoryFacts.facts(of: transactions) }
    let numbers = Set(transactions.map(\.number))
    var listed: [HistoryLog.Change] = []
    try log.forEachChange(since: since) { change in
      guard selection.includes(change),
        !needsTransactions || numbers.contains(change.transaction)
      else { return }
      listed.append(change)
    }
    guard !changes else { return facts.facts(of: listed) }
    let chosen = Set(listed.map(\.transaction))
    return HistoryFacts.facts(of: transactions.filter { chosen.contains($0.number) })
  }
}

extension HistoryBound: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// The filter that the options specify for the changes and transactions of a history.
struct HistorySelection {
  private let facts: HistoryFacts
  /// The numbers of the entities; nil for all.
  private let entities: Set<Int64>?
  private let key: Int64?
  private let kind: ChangeKind?
  private let property: String?
  private let author: String?

  /// - Throws: `DiagnosticError` for an unknown entity or property, an object ID of another store, or any property if
  ///   the model is unknown.
  init(_ options: HistoryFilterOptions, in facts: HistoryFacts) throws {
    self.facts = facts
    let object = options.objectID
    if let store = object?.store, store != facts.storeUUID.uppercased() {
      throw DiagnosticError(
        otherStoreOf: options.object ?? "", uuid: facts.storeUUID, in: "history")
    }
    let named = try [options.entity, object?.entity].compactMap(\.self).map {
      try facts.numbers(ofEntity: $0)
    }
    entities = named.isEmpty ? nil : named.dropFirst().reduce(named[0]) { $0.intersection($1) }
    key = object?.primaryKey
    kind = options.property == nil ? options.change : .update
    property = options.property
    author = options.author
    if let property { try facts.require(property, of: entities) }
  }

  func includes(_ transaction: HistoryLog.Transaction) -> Bool {
    author == nil || transaction.origin.author == author
  }

  func includes(_ change: HistoryLog.Change) -> Bool {
    if let entities, !entities.contains(change.entity) { return false }
    if let key, change.key != key { return false }
    if let kind, change.kind != kind { return false }
    guard let property else { return true }
    return facts.changedProperties(of: change)?.contains(property) == true
  }

  /// Returns a note if none of the transactions has the requested author.
  func note(on transactions: [HistoryLog.Transaction]) -> DiagnosticMessage? {
    guard let author, !transactions.contains(where: includes) else { return nil }
    let known = Set(transactions.compactMap(\.origin.author)).sorted()
    return DiagnosticMessage(
      .note, "history.no-author", "the history has no transactions of the author '\(author)'"
    )
    .didYouMean(author, among: known, elseListing: "its authors are")
  }
}

extension HistoryFacts {
  /// Returns the numbers of an entity and of its subentities, or only of the entity if the model is unknown.
  fileprivate func numbers(ofEntity name: String) throws -> Set<Int64> {
    var known = names
    for entity in layout?.entities ?? [] { known[entity.number] = entity.name }
    let model = layout?.model
    let numbers = known.filter { _, other in
      guard let model, let ancestor = model.entity(named: name),
        let entity = model.entity(named: other)
      else { return other == name }
      return model.isKind(entity, of: ancestor)
    }
    guard !numbers.isEmpty else {
      let own = known.filter { $0.key < HistoryEntity.first }.values.sorted()
      throw DiagnosticError(
        DiagnosticMessage(
          .error, "history.unknown-entity", "the store has no entity '\(name)'", cause: .notFound
        ).didYouMean(name, among: own, elseListing: "its entities are"))
    }
    return Set(numbers.keys)
  }

  /// - Parameter entities: The numbers of the entities; nil for all.
  fileprivate func require(_ property: String, of entities: Set<Int64>?) throws {
    guard let layout else {
      throw DiagnosticError(
        "history.no-names", "the changed properties of an update are unknown without the model",
        cause: .notFound, help: ["specify the model that wrote the store"])
    }
    let numbers = entities ?? Set(layout.entities.map(\.number))
    let known = Set(numbers.flatMap { layout.changedProperties(of: $0).names })
    guard known.contains(property) else {
      throw DiagnosticError(
        DiagnosticMessage(
          .error, "history.unknown-property", "there is no property '\(property)'",
          cause: .notFound
        ).didYouMean(property, among: known.sorted(), elseListing: "the properties are"))
    }
  }
}
