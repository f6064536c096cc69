import ArgumentParser
import SQLiteAccess
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
    let output = LinkOutput(result, format)
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
    let output = LinkOutput(result, format)
    Signals.cancelOnInterrupt()
    let (open, plan) = try links.prepared(.unlink, for: isDryRun ? .reading : .writing)
    try output.run(plan, in: open, isDryRun: isDryRun)
  }
}
