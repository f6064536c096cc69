import ArgumentParser
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreModel

/// `storetool link`
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", _superCommandName: Storetool.name,
    abstract: "Links all rows that match on both sides of a relationship.",
    discussion: """
      Both sides are kept right, whichever is named: columns, join tables, places in ordered \
      relationships, the persistent history. What is linked already stays as it is. A row that can \
      have one partner leaves the one that it had; several at once are an error, and so is what \
      breaks the model's rules for numbers of members. Nothing is linked then.

        storetool link Group.members 'name == "Choir"' 'city.name == "Zürich"'
        storetool link Person.boss 'department == "Sales"' 'name == "Ada"' --dry-run
        storetool link Album.tracks 'title == "Live"' 'year == 1999' --at first
      """)

  @OptionGroup var links: LinkOptions
  @OptionGroup var places: LinkPlaceOptions

  @Flag(name: .customLong("dry-run"), help: "Only tell what would be linked.")
  var isDryRun = false

  @OptionGroup var result: BatchResultOptions
  @OptionGroup var format: FormatOptions

  func validate() throws { try result.requireChange(unless: isDryRun) }

  func run() throws {
    let output = LinkOutput(options: result, format: format)
    Signals.cancelOnInterrupt()
    let (open, plan) = try links.prepared(.link, places, for: isDryRun ? .reading : .writing)
    try output.run(plan, in: open, isDryRun: isDryRun)
  }
}

/// `storetool unlink`
struct UnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", _superCommandName: Storetool.name,
    abstract: "Ends the links between rows that match on both sides of a relationship.",
    discussion: """
      The rows stay. Both sides are kept right, whichever is named. A row that would be left \
      without a partner that it needs, or with fewer members than the model allows, is an error, and \
      no link ends then.

        storetool unlink Group.members 'name == "Choir"' 'city.name != "Zürich"'
        storetool unlink Person.boss 'retired == true' TRUEPREDICATE
      """)

  @OptionGroup var links: LinkOptions

  @Flag(name: .customLong("dry-run"), help: "Only tell which links would end.")
  var isDryRun = false

  @OptionGroup var result: BatchResultOptions
  @OptionGroup var format: FormatOptions

  func validate() throws { try result.requireChange(unless: isDryRun) }

  func run() throws {
    let output = LinkOutput(options: result, format: format)
    Signals.cancelOnInterrupt()
    let (open, plan) = try links.prepared(.unlink, for: isDryRun ? .reading : .writing)
    try output.run(plan, in: open, isDryRun: isDryRun)
  }
}

/// Makes or ends links, and says what was done: the number on standard output, a sentence on standard error.
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

  /// `linked 12 Person to 1 Group; 3 links were there already; 2 former links ended`
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
        "\(outcome.unchanged.grouped) \(outcome.unchanged == 1 ? "link was" : "links were") there already"
      )
    }
    if outcome.replaced > 0 {
      parts.append(
        "\(outcome.replaced.grouped) former \("link".plural(outcome.replaced)) ended")
    }
    if isLink, outcome.loops > 0 {
      parts.append(
        "\(outcome.loops.grouped) \(outcome.loops == 1 ? "row is" : "rows are") linked to "
          + (outcome.loops == 1 ? "itself" : "themselves"))
    }
    return parts.joined(separator: "; ")
  }

  private func nothing(_ outcome: LinkResult, _ plan: LinkPlan) -> String {
    let matched = """
      \(outcome.matchedSources.grouped) \(plan.entity) and \
      \(outcome.matchedDestinations.grouped) \(plan.destination) match
      """
    guard outcome.matchedSources > 0, outcome.matchedDestinations > 0 else {
      return "\(plan.kind == .link ? "linked" : "unlinked") nothing: \(matched)"
    }
    return plan.kind == .link
      ? "linked nothing: \(matched), all linked already"
      : "unlinked nothing: \(matched), none linked"
  }
}

extension LinkResult {
  /// Pairs that were linked before.
  fileprivate var unchanged: Int {
    let (pairs, isTooMuch) = matchedSources.multipliedReportingOverflow(by: matchedDestinations)
    return isTooMuch ? 0 : pairs - newPairs
  }
}
