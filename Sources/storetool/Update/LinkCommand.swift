import ArgumentParser
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreModel

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", _superCommandName: Storetool.name,
    abstract: "Link rows that match one predicate to rows that match another.",
    discussion: """
      Entity.relationship can name either side: Group.members and Person.groups create the same links. Both sides are \
      updated: their columns, join tables, positions in ordered relationships and persistent history. Existing links \
      are kept, but in a to-one relationship, the new link replaces the previous one. If several destinations match \
      for a to-one relationship, or the new number of members of a to-many relationship violates the model, the \
      command fails and no links are changed.

        storetool link Group.members 'name == "Choir"' 'city.name == "Zürich"'
        storetool link Person.boss 'department == "Sales"' 'name == "Ada"' --dry-run
        storetool link Album.tracks 'title == "Live"' 'year == 1999' --at first
      """)

  @OptionGroup var links: LinkOptions
  @OptionGroup var places: LinkPlaceOptions

  @Flag(
    name: .customLong("dry-run"),
    help: "Only print the numbers of matching rows and of links that would be created or replaced.")
  var isDryRun = false

  @OptionGroup var result: BatchResultOptions
  @OptionGroup var format: FormatOptions

  func validate() throws { try result.requireChange(unless: isDryRun) }

  func run() throws {
    Signals.cancelOnInterrupt()
    let (open, plan) = try links.prepared(.link, places, for: isDryRun ? .reading : .writing)
    try LinkOutput(options: result, format: format).run(plan, in: open, isDryRun: isDryRun)
  }
}

struct UnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", _superCommandName: Storetool.name,
    abstract: "Remove the links between rows that match one predicate and rows that match another.",
    discussion: """
      The rows are kept. Entity.relationship can name either side of the relationship. Both sides are updated. If a \
      row would lose a required destination, or a to-many relationship would have fewer members than the model allows, \
      the command fails and no links are removed.

        storetool unlink Group.members 'name == "Choir"' 'city.name != "Zürich"'
        storetool unlink Person.boss 'retired == true' TRUEPREDICATE
      """)

  @OptionGroup var links: LinkOptions

  @Flag(
    name: .customLong("dry-run"),
    help: "Only print the numbers of matching rows and of links that would be removed.")
  var isDryRun = false

  @OptionGroup var result: BatchResultOptions
  @OptionGroup var format: FormatOptions

  func validate() throws { try result.requireChange(unless: isDryRun) }

  func run() throws {
    Signals.cancelOnInterrupt()
    let (open, plan) = try links.prepared(.unlink, for: isDryRun ? .reading : .writing)
    try LinkOutput(options: result, format: format).run(plan, in: open, isDryRun: isDryRun)
  }
}

/// Creates or removes links, or counts them in a dry run. Prints the result on standard output and, unless it is a dry
/// run, a sentence on standard error.
struct LinkOutput {
  let options: BatchResultOptions
  let format: FormatOptions

  func run(_ plan: LinkPlan, in open: OpenStore, isDryRun: Bool) throws {
    guard !isDryRun else {
      try open.found.requireForWriting(open.store)
      let outcome = try open.store.dryRun(of: plan, in: open.layout)
      try plan.refuse(outcome, unless: options.expect)
      return try FactWriter(format).print(.page(LinkFacts(outcome, plan)))
    }
    let outcome = try open.store.link(by: plan, in: open.layout, expected: options.expect)
    Terminal.err.write("\(sentence(outcome, plan))\n")
    try BatchOutput(options: options, format: format).print(
      count: outcome.changed, facts: LinkFacts(outcome, plan), ids: Store.linkedKeys,
      from: open)
  }

  /// Returns the summary, such as `linked 12 Person to 1 Group; 3 pairs were already linked; 2 previous links removed`.
  private func sentence(_ outcome: LinkResult, _ plan: LinkPlan) -> String {
    let isLink = plan.kind == .link
    guard outcome.changed > 0 else { return nothing(outcome, plan) }
    let (sources, destinations) = (
      "\(outcome.changedSources.grouped) \(plan.entity)",
      "\(outcome.changedDestinations.grouped) \(plan.destination)"
    )
    let (subject, object) =
      plan.isToMany ? (destinations, sources) : (sources, destinations)
    var parts = [
      isLink ? "linked \(subject) to \(object)" : "unlinked \(subject) from \(object)"
    ]
    if outcome.changed != max(outcome.changedSources, outcome.changedDestinations) {
      parts[0] += " (\(outcome.changed.grouped) links)"
    }
    if isLink, outcome.unchanged > 0 {
      parts.append(
        "\(outcome.unchanged.grouped) \(outcome.unchanged == 1 ? "pair was" : "pairs were") already linked"
      )
    }
    if outcome.replaced > 0 {
      parts.append(
        "\(outcome.replaced.grouped) previous \("link".plural(outcome.replaced)) removed")
    }
    if isLink, outcome.loops > 0 {
      parts.append(
        "\(outcome.loops.grouped) \(outcome.loops == 1 ? "row is" : "rows are") linked to "
          + (outcome.loops == 1 ? "itself" : "themselves"))
    }
    return parts.joined(separator: "; ")
  }

  private func nothing(_ outcome: LinkResult, _ plan: LinkPlan) -> String {
    func rows(_ count: Int, of entity: String) -> String {
      "\(count.grouped) \("row".plural(count)) of \(entity)"
    }
    let matched = """
      \(rows(outcome.matchedSources, of: "\(plan.entity)")) and \
      \(rows(outcome.matchedDestinations, of: "\(plan.destination)")) match
      """
    guard outcome.matchedSources > 0, outcome.matchedDestinations > 0 else {
      return "no rows \(plan.kind == .link ? "linked" : "unlinked"): \(matched)"
    }
    return plan.kind == .link
      ? "no rows linked: \(matched), but all of them are already linked"
      : "no rows unlinked: \(matched), but they aren't linked"
  }
}

extension LinkResult {
  /// The number of pairs that were already linked; 0 if the number of pairs is too large for an `Int`.
  fileprivate var unchanged: Int {
    let (pairs, isTooMuch) = matchedSources.multipliedReportingOverflow(by: matchedDestinations)
    return isTooMuch ? 0 : pairs - newPairs
  }
}
