import StoreModel
import StoreImport
import StoreDiagnostics

/// Says on standard error what a writing command has done.
struct WritingReport {
  private let inserted: [String: Int]
  private var updated: [String: Int] = [:]
  private var relinked: [String: Int] = [:]
  private var unchanged = 0
  private var unappliedLists: [String: Int] = [:]
  private var contested: [String: Int] = [:]
  private var skippedLinks: [String: Int] = [:]
  private var nullMembers: [String: Int] = [:]
  private var dates: [String: DateCounts] = [:]
  private var ignored: [String: Int] = [:]
  private var roundedDecimals: Int
  private var withoutKey: [String: Int] = [:]
  private var withoutKeyValue: [String: Int] = [:]
  private var renamed: [String: Int] = [:]

  init(_ outcome: GraphImport.Result) {
    inserted = outcome.inserted
    updated = outcome.updated
    relinked = outcome.relinked
    unchanged = outcome.unchanged
    unappliedLists = outcome.unappliedLists
    contested = outcome.contested
    skippedLinks = outcome.skippedLinks
    nullMembers = outcome.nullMembers
    dates = outcome.dates
    ignored = outcome.ignored
    roundedDecimals = outcome.roundedDecimals
    withoutKey = outcome.withoutKey
    withoutKeyValue = outcome.withoutKeyValue
    renamed = outcome.renamed
  }

  init(_ outcome: InsertResult, into entity: String) {
    inserted = [entity: outcome.inserted]
    if outcome.updated > 0 { updated[entity] = outcome.updated }
    unchanged = outcome.unchanged
    if outcome.withoutKeyValue > 0 { withoutKeyValue[entity] = outcome.withoutKeyValue }
    roundedDecimals = outcome.roundedDecimals
  }

  init(inserted: [String: Int]) {
    self.inserted = inserted
    roundedDecimals = 0
  }

  func print() {
    var sentence = "inserted \(inserted.isEmpty ? "nothing" : Self.list(inserted))"
    if !updated.isEmpty { sentence += ", updated \(Self.list(updated))" }
    if !relinked.isEmpty { sentence += ", relinked \(Self.list(relinked))" }
    if unchanged > 0 {
      sentence += ", left \(unchanged.grouped) as \(unchanged == 1 ? "it was" : "they were")"
    }
    Terminal.err.write("\(sentence)\n")
    if !unappliedLists.isEmpty { Terminal.report([keptMembers]) }
    if !contested.isEmpty { Terminal.report([takenMembers]) }
    if !skippedLinks.isEmpty { Terminal.report([missingLinks]) }
    if !nullMembers.isEmpty { Terminal.report([skippedNulls]) }
    Terminal.report(dates.sorted { $0.key < $1.key }.flatMap(Self.diagnostics))
    if !withoutKey.isEmpty { Terminal.report([missingKeys]) }
    if !withoutKeyValue.isEmpty { Terminal.report([missingKeyValues]) }
    if !renamed.isEmpty { Terminal.report([newIDs]) }
    if !ignored.isEmpty { Terminal.report([ignoredKeys]) }
    if roundedDecimals > 0 { Terminal.report([rounding]) }
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }
      .joined(separator: ", ")
  }

  private static func were(_ counts: [String: Int]) -> String {
    counts.values.reduce(0, +) == 1 ? "was" : "were"
  }

  private var ignoredKeys: Diagnostic {
    let total = ignored.values.reduce(0, +)
    let shown = ignored.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
      .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    let rest = ignored.count > 8 ? " and \(ignored.count - 8) more" : ""
    let values =
      total == 1 ? "1 value stands under a key" : "\(total.grouped) values stand under keys"
    return Diagnostic(
      .note, "import.ignored-keys", "\(values) that no property takes: \(shown)\(rest)"
    ).helping("--map property=path takes one in, --strict makes them errors")
  }

  private var keptMembers: Diagnostic {
    let total = unappliedLists.values.reduce(0, +)
    let names = unappliedLists.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
    let lists =
      total == 1
      ? "1 list of \(names) differs from the members of its row"
      : "\(total.grouped) lists of \(names) differ from the members of their rows"
    return Diagnostic(
      .note, "import.kept-members", "\(lists): members were only added"
    ).helping("--on-conflict update --members replace applies such lists as they are")
  }

  private var takenMembers: Diagnostic {
    let total = contested.values.reduce(0, +)
    let subject = "\(Self.list(contested)) \(total == 1 ? "is" : "are")"
    return Diagnostic(
      .note, "import.contested-member",
      "\(subject) claimed by several objects, and only one can have \(total == 1 ? "it" : "each")"
        + ": the last one has it")
  }

  private static func quoted(_ counts: [String: Int]) -> String {
    counts.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
  }

  private var missingLinks: Diagnostic {
    let total = skippedLinks.values.reduce(0, +)
    return Diagnostic(
      .note, "import.skipped-links",
      "\(total.grouped) \(total == 1 ? "link" : "links") of \(Self.quoted(skippedLinks)) to rows that "
        + "don't exist \(total == 1 ? "was" : "were") left out")
  }

  private var skippedNulls: Diagnostic {
    let total = nullMembers.values.reduce(0, +)
    return Diagnostic(
      .note, "import.null-member",
      "\(total.grouped) null in lists of \(Self.quoted(nullMembers)) \(total == 1 ? "was" : "were") "
        + "left out")
  }

  private static func diagnostics(of attribute: String, _ counts: DateCounts) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let (seconds, milliseconds) = (counts.seconds, counts.milliseconds)
    if milliseconds > 0, seconds > 0 {
      found.append(
        Diagnostic(
          .warning, "import.mixed-dates",
          "'\(attribute)' has \(seconds.grouped) dates that are seconds and \(milliseconds.grouped) "
            + "that are milliseconds, by their magnitude"
        ).helping("dateFormat UnixTimeMilliseconds (userInfo) reads all as milliseconds"))
    } else if milliseconds > 0 {
      found.append(
        Diagnostic(
          .note, "import.date-milliseconds",
          "\(milliseconds.grouped) \(milliseconds == 1 ? "date" : "dates") of '\(attribute)' "
            + "\(milliseconds == 1 ? "is" : "are") milliseconds since 1970, by the magnitude"))
    }
    if counts.late > 0 {
      found.append(
        Diagnostic(
          .warning, "import.late-date",
          "\(counts.late.grouped) \(counts.late == 1 ? "date" : "dates") of '\(attribute)' "
            + "\(counts.late == 1 ? "is" : "are") after the year 9999"
        ).helping("check the unit: --date-format UnixTimeMilliseconds"))
    }
    return found
  }

  /// What was in the store already may be there twice now.
  private var missingKeys: Diagnostic {
    let first = withoutKey.keys.min() ?? ""
    return Diagnostic(
      .note, "import.no-key",
      "\(Self.list(withoutKey)) \(Self.were(withoutKey)) added without looking for existing rows: the model has no "
        + "key for them"
    ).helping("--key \(first).ATTRIBUTE says by what they are known in this run")
  }

  private var missingKeyValues: Diagnostic {
    Diagnostic(
      .note, "import.no-key-value",
      "\(Self.list(withoutKeyValue)) \(Self.were(withoutKeyValue)) added without looking for existing rows: they give no "
        + "value of their key")
  }

  private var newIDs: Diagnostic {
    Diagnostic(
      .note, "import.new-id",
      "the rows that the $id of \(Self.list(renamed)) names are gone: new ones were made")
  }

  private var rounding: Diagnostic {
    Diagnostic(
      .warning, "value.rounded-decimal",
      "\(roundedDecimals.grouped) decimals have more than 15 digits and were rounded to a Double")
  }
}
