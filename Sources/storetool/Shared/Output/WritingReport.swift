import StoreModel
import StoreImport
import StoreDiagnostics

/// Prints the result of an insertion on standard error: the numbers of inserted and changed rows, and notes about
/// values and links that weren't written as specified.
struct WritingReport {
  private var result: GraphImport.Result

  init(_ result: GraphImport.Result) {
    self.result = result
  }

  init(_ outcome: InsertResult, into entity: String) {
    self.init(inserted: [entity: outcome.inserted])
    if outcome.updated > 0 { result.updated[entity] = outcome.updated }
    result.unchanged = outcome.unchanged
    if outcome.withoutKeyValue > 0 { result.withoutKeyValue[entity] = outcome.withoutKeyValue }
    result.roundedDecimals = outcome.roundedDecimals
  }

  init(inserted: [String: Int]) {
    result = GraphImport.Result(inserted: inserted)
  }

  func print() {
    var sentence = "inserted \(result.inserted.isEmpty ? "nothing" : result.inserted.listed)"
    if !result.updated.isEmpty { sentence += ", updated \(result.updated.listed)" }
    if !result.relinked.isEmpty { sentence += ", relinked \(result.relinked.listed)" }
    if result.unchanged > 0 {
      sentence += ", left \(result.unchanged.grouped) unchanged"
    }
    Terminal.err.write("\(sentence)\n")
    if !result.unappliedLists.isEmpty { Terminal.report([keptMembers]) }
    if !result.contested.isEmpty { Terminal.report([takenMembers]) }
    if !result.skippedLinks.isEmpty { Terminal.report([missingLinks]) }
    if !result.nullMembers.isEmpty { Terminal.report([skippedNulls]) }
    Terminal.report(result.dates.sorted { $0.key < $1.key }.flatMap(Self.diagnostics))
    if !result.withoutKey.isEmpty { Terminal.report([missingKeys]) }
    if !result.withoutKeyValue.isEmpty { Terminal.report([missingKeyValues]) }
    if !result.renamed.isEmpty { Terminal.report([newIDs]) }
    if !result.ignored.isEmpty { Terminal.report([ignoredKeys]) }
    if result.roundedDecimals > 0 { Terminal.report([rounding]) }
  }

  private var ignoredKeys: DiagnosticMessage {
    let total = result.ignored.total
    let shown = result.ignored.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
      .map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    let rest = result.ignored.count > 8 ? " and \(result.ignored.count - 8) more" : ""
    let values =
      total == 1
      ? "1 value was ignored, because no property matches its key"
      : "\(total.grouped) values were ignored, because no property matches their keys"
    return DiagnosticMessage(
      .note, "import.ignored-keys", "\(values): \(shown)\(rest)"
    ).helping("to map a key: --map property=path; to make this an error: --strict")
  }

  private var keptMembers: DiagnosticMessage {
    let total = result.unappliedLists.total
    let names = result.unappliedLists.quotedKeys
    let lists =
      total == 1
      ? "for 1 list of \(names), the row has members that the list omits or reorders"
      : "for \(total.grouped) lists of \(names), the rows have members that the lists omit or reorder"
    return DiagnosticMessage(
      .note, "import.kept-members", "\(lists); they were kept"
    ).helping("to replace the members, use --on-conflict update --members replace")
  }

  private var takenMembers: DiagnosticMessage {
    let total = result.contested.total
    let subject = "\(result.contested.listed) \(total == 1 ? "is" : "are")"
    return DiagnosticMessage(
      .note, "import.contested-member",
      "\(subject) claimed by several objects, but only one can have \(total == 1 ? "it" : "each")"
        + ": the last one wins")
  }

  private var missingLinks: DiagnosticMessage {
    let total = result.skippedLinks.total
    return DiagnosticMessage(
      .note, "import.skipped-links",
      "\(total.grouped) \("link".plural(total)) of \(result.skippedLinks.quotedKeys) to rows that "
        + "weren't found \(total == 1 ? "was" : "were") skipped")
  }

  private var skippedNulls: DiagnosticMessage {
    let total = result.nullMembers.total
    return DiagnosticMessage(
      .note, "import.null-member",
      "\(total.grouped) null \("value".plural(total)) in lists of \(result.nullMembers.quotedKeys) "
        + "\(total == 1 ? "was" : "were") skipped")
  }

  private static func diagnostics(of attribute: String, _ counts: DateCounts) -> [DiagnosticMessage]
  {
    var found: [DiagnosticMessage] = []
    let (seconds, milliseconds) = (counts.seconds, counts.milliseconds)
    if milliseconds > 0, seconds > 0 {
      found.append(
        DiagnosticMessage(
          .warning, "import.mixed-dates",
          "'\(attribute)' has dates in seconds (\(seconds.grouped)) and in milliseconds "
            + "(\(milliseconds.grouped)), judging by their magnitude"
        ).helping(
          "to read all of them as milliseconds, use the dateFormat UnixTimeMilliseconds (userInfo)")
      )
    } else if milliseconds > 0 {
      found.append(
        DiagnosticMessage(
          .note, "import.date-milliseconds",
          "\(milliseconds.grouped) \("date".plural(milliseconds)) of '\(attribute)' "
            + "\(milliseconds == 1 ? "is" : "are") milliseconds since 1970, judging by the magnitude"
        ))
    }
    if counts.late > 0 {
      found.append(
        DiagnosticMessage(
          .warning, "import.late-date",
          "\(counts.late.grouped) \("date".plural(counts.late)) of '\(attribute)' "
            + "\(counts.late == 1 ? "is" : "are") after the year 9999"
        ).helping("check the unit: --date-format UnixTimeMilliseconds"))
    }
    return found
  }

  /// A note that rows may be duplicates, because they were inserted without a search for existing rows.
  private var missingKeys: DiagnosticMessage {
    let first = result.withoutKey.keys.min() ?? ""
    return DiagnosticMessage(
      .note, "import.no-key",
      "\(result.withoutKey.listed) \(result.withoutKey.were) added without looking for existing "
        + "rows, because the model doesn't specify a key"
    ).helping("specify a key for this run: --key \(first).ATTRIBUTE")
  }

  private var missingKeyValues: DiagnosticMessage {
    DiagnosticMessage(
      .note, "import.no-key-value",
      "\(result.withoutKeyValue.listed) \(result.withoutKeyValue.were) added without looking for "
        + "existing rows, because the key has no value")
  }

  private var newIDs: DiagnosticMessage {
    DiagnosticMessage(
      .note, "import.new-id",
      "\(result.renamed.listed) \(result.renamed.were) added, because no row of the store has the same $id"
    )
  }

  private var rounding: DiagnosticMessage {
    DiagnosticMessage(
      .warning, "value.rounded-decimal",
      result.roundedDecimals == 1
        ? "1 decimal has more than 15 digits and was rounded to a Double"
        : "\(result.roundedDecimals.grouped) decimals have more than 15 digits and were rounded to a Double"
    )
  }
}

extension [String: Int] {
  /// The counts, sorted by name: `2 Item, 1 List`.
  var listed: String {
    sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
  }

  fileprivate var total: Int { values.reduce(0, +) }
  fileprivate var were: String { total == 1 ? "was" : "were" }

  fileprivate var quotedKeys: String {
    keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
  }
}
