import ArgumentParser
import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreModel

/// `storetool explain …`: shows the statements of another command.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", _superCommandName: Storetool.name,
    abstract: "Show the SQL of a request, its parameters, query plan and indexes.",
    discussion: """
      Write the command with its options after 'explain'. It isn't run.

        storetool explain fetch Product --where 'price > 10' --sort -price
        storetool explain apply-template peopleFR NAME=Ray
      """,
    subcommands: CommandRow.subcommands(of: Self.self))
}

struct ExplainFetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Explain a fetch.",
    discussion: "  storetool explain fetch Product --where 'price > 10' --sort -price")

  @OptionGroup var command: FetchCommand

  func run() throws {
    let (store, request) = try command.prepared()
    try FactWriter(command.format).print(ExplanationFacts.page(of: request, in: store))
  }
}

struct ExplainTemplateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply-template",
    abstract: "Explain a fetch-request template.",
    discussion: "  storetool explain apply-template peopleFR NAME=Ray")

  @OptionGroup var command: ApplyTemplateCommand

  func run() throws {
    let (store, request) = try command.prepared()
    try FactWriter(command.format).print(ExplanationFacts.page(of: request, in: store))
  }
}

struct ExplainInsertionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-insert",
    abstract: "Explain how rows of an entity are inserted.",
    discussion: "  storetool explain batch-insert Product")

  @Argument(help: "The name of the entity.", completion: .concreteEntities)
  var entity: String

  @OptionGroup var options: StoreOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let store = try Workspace(options).openStore(having: .entity(entity))
    try FactWriter(format).print(ExplanationFacts.page(ofInsertionInto: entity, in: store))
  }
}

struct ExplainUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-update",
    abstract: "Explain how rows are updated.",
    discussion: "  storetool explain batch-update Item done=true --where 'priority > 3'")

  @OptionGroup var update: UpdateOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let (store, plan) = try update.prepared(for: .reading)
    try FactWriter(format).print(ExplanationFacts.page(of: plan, in: store))
  }
}

struct ExplainDeletionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-delete",
    abstract: "Explain a deletion: all statements, and the strategy for each table.",
    discussion: "  storetool explain batch-delete Item --where 'done == true'")

  @OptionGroup var command: BatchDeleteCommand

  func run() throws {
    let (store, plan) = try command.prepared(for: .reading)
    let outcome = try store.store.dryRunOfDeletion(plan, in: store.layout, isPermitted: false)
    try FactWriter(command.format).print(.page(DeletionExplanation(outcome)))
  }
}

struct ExplainLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Explain how rows are linked: how they are found, and all statements.",
    discussion: "  storetool explain link Group.members 'name == \"Choir\"' 'age < 18'")

  @OptionGroup var links: LinkOptions
  @OptionGroup var places: LinkPlaceOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let (store, plan) = try links.prepared(.link, places, for: .reading)
    try FactWriter(format).print(.page(LinkExplanation(of: plan, in: store)))
  }
}

struct ExplainUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Explain how links are removed: how rows are found, and all statements.",
    discussion: "  storetool explain unlink Group.members 'name == \"Choir\"' 'age > 18'")

  @OptionGroup var links: LinkOptions
  @OptionGroup var format: FormatOptions

  func run() throws {
    let (store, plan) = try links.prepared(.unlink, for: .reading)
    try FactWriter(format).print(.page(LinkExplanation(of: plan, in: store)))
  }
}

/// The output of `explain`.
enum ExplanationFacts {
  /// - Throws: `CheckErrors` for an invalid request, or `DatabaseError`.
  static func page(of prepared: PreparedRequest, in store: OpenStore) throws -> Facts {
    try page(of: prepared.query(in: store).sql, in: store)
  }

  /// Returns the explanation of the statement that inserts a row of an entity.
  static func page(ofInsertionInto entity: String, in store: OpenStore) throws -> Facts {
    try page(of: InsertPlan(entity: entity, in: store.layout).insertion, in: store)
  }

  /// Returns the explanation of an update's search for rows. If the update has several statements, the result also
  /// lists them.
  static func page(of plan: UpdatePlan, in store: OpenStore) throws -> Facts {
    let strategy = try store.store.strategy(for: plan)
    return try page(of: plan.search, then: strategy.statements(of: plan), in: store)
  }

  private static func page(
    of statement: SQL, then statements: [SQL] = [], in store: OpenStore
  ) throws -> Facts {
    let explanation = try store.store.read { connection in
      try Explanation(statement, in: store.layout, on: connection)
    }
    return .page(
      Page(
        sql: explanation.sql, indexes: explanation.indexes,
        scans: explanation.steps.filter(\.isScan).map(\.detail),
        missingIndexes: explanation.missing.map {
          MissingIndex(name: $0.name, table: $0.table, statement: $0.statement)
        },
        advice: explanation.advised.map(advice),
        parameters: explanation.parameters.enumerated().map {
          Parameter(parameter: "?\($0.offset + 1)", value: $0.element.literal)
        },
        plan: explanation.steps.map(ExplanationStep.init),
        statements: statements.count > 1 ? statements.map(\.literalText) : nil))
  }

  private struct Page: Encodable {
    let sql: String
    let indexes, scans: [String]
    let missingIndexes: [MissingIndex]
    let advice: [String]
    let parameters: [Parameter]
    let plan: [ExplanationStep]
    @OmittedIfNil var statements: [String]?
  }

  private struct MissingIndex: Encodable { let name, table, statement: String }

  private struct Parameter: Encodable { let parameter, value: String }

  private static func advice(on index: Explanation.AdvisedIndex) -> String {
    """
    \(index.table) has more than \(Explanation.largeTableRows.grouped) rows, and the request reads all \
    of them; to prevent this, add a fetch index on '\(index.property)' of '\(index.entity)' to the model
    """
  }
}
