import ArgumentParser
import StoreEngine

/// `storetool batch-update`
struct BatchUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch-update",
    abstract: "Sets values of all rows that match, in one statement.",
    discussion: """
      key=text is a literal of the attribute's type, key:=expression an expression over the row, \
      and toOne:=(predicate) the one row that matches. Rows that hold the values already are not \
      rewritten; all others get them or, at a value that the model does not allow, none.

        storetool batch-update Item done=true
        storetool batch-update Item 'priority:=priority + 1' --where 'done == NO'
        storetool batch-update Employee 'department:=(name == "Research")' --dry-run
      """)

  @OptionGroup var update: UpdateOptions

  @Flag(name: .customLong("dry-run"), help: "Only tell how many rows match and would change.")
  var isDryRun = false

  @Flag(name: .long, help: "Print how many rows were changed. That is the default.")
  var count = false

  @Flag(name: .long, help: "Print the object IDs of the changed rows, one a line.")
  var ids = false

  @Flag(name: .long, help: "Print true when the update was made.")
  var status = false

  @OptionGroup var format: FormatOptions

  func validate() throws {
    if [count, ids, status].count(where: { $0 }) > 1 {
      throw ValidationError("--count, --ids and --status exclude each other")
    }
    if isDryRun && (ids || status) {
      throw ValidationError("--dry-run changes nothing; leave out --ids and --status")
    }
  }

  func run() throws {
    guard !isDryRun else { return try rehearse() }
    Signals.cancelOnInterrupt()
    let (open, plan) = try update.prepared(for: .writing)
    let outcome = try open.store.update(by: plan, in: open.layout, keepsKeys: ids)
    let matched = "\(outcome.matched.grouped) matching \(plan.entity)"
    Terminal.err.write("changed \(outcome.changed.grouped) of \(matched)\n")
    if ids {
      try RowOutput(format).printIDs(Store.updatedKeys, from: open)
    } else if status {
      try printStatus()
    } else if format.format == nil {
      Terminal.out.write("\(outcome.changed)\n")
    } else {
      try FactWriter(format).print(.page(Self.facts(outcome).value))
    }
  }

  private func rehearse() throws {
    let (open, plan) = try update.prepared(for: .reading)
    let outcome = try open.store.census(of: plan, in: open.layout)
    var facts = Self.facts(outcome)
    facts.add("rebuiltIndexes", try open.store.strategy(for: plan).rebuiltIndexes)
    try FactWriter(format).print(.page(facts.value))
  }

  private func printStatus() throws {
    guard format.format != nil else { return Terminal.out.write("true\n") }
    var object = FactObject()
    object.add("status", true)
    try FactWriter(format).print(.page(object.value))
  }

  private static func facts(_ outcome: UpdateOutcome) -> FactObject {
    var object = FactObject()
    object.add("matched", outcome.matched)
    object.add("changed", outcome.changed)
    return object
  }
}
