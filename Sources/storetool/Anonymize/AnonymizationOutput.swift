import RecordFormats
import StoreAnonymization
import StoreDiagnostics

/// Prints the result of an anonymization or of its dry run: a sentence and notes on standard error and, in a dry run or
/// if a format is specified, `AnonymizationFacts` on standard output.
struct AnonymizationOutput {
  let format: RowFormat?

  func print(
    _ result: AnonymizationResult, of store: LocalPath, into output: LocalPath?, isDryRun: Bool,
    _ book: RuleBook, isRandom: Bool
  ) throws {
    if format != nil || isDryRun {
      let facts = AnonymizationFacts(of: result, store: store, output: output)
      try FactWriter(format ?? .standard).print(.page(facts))
    }
    let counts = Self.counts(of: result)
    if isDryRun {
      Terminal.err.write("would replace \(counts); no file was written\n")
    } else {
      let size = result.bytesAfter.map { ", \(ByteCount.text($0))" } ?? ""
      Terminal.err.write(
        output.map { "created '\($0)'\(size): replaced \(counts)\n" }
          ?? "anonymized '\(store)'\(size): replaced \(counts)\n")
    }
    Terminal.report(remarks(on: result, book, isRandom: isRandom && !isDryRun))
  }

  /// The number of replaced values, such as `1,204 values of 7 attributes`.
  private static func counts(of result: AnonymizationResult) -> String {
    let replaced = result.attributes.filter { $0.rule != .keep }
    let values = replaced.map(\.values).reduce(0, +)
    return "\(counted(values, "value")) of \(replaced.count.counted("attribute"))"
  }

  private func remarks(
    on result: AnonymizationResult, _ book: RuleBook, isRandom: Bool
  ) -> [DiagnosticMessage] {
    var remarks: [DiagnosticMessage] = []
    func add(_ code: String, _ message: String, _ help: String? = nil, if holds: Bool) {
      guard holds else { return }
      let note = DiagnosticMessage(.note, "anonymize.\(code)", message)
      remarks.append(help.map { note.helping($0) } ?? note)
    }
    let kept = book.keptByDefault
    let reason = kept.count == 1 ? "is kept, because it has" : "are kept, because they have"
    add(
      "kept",
      "\(kept.count.counted("attribute")) \(reason) no rule: \(kept.joined(separator: ", "))",
      "to remove this note, add a rule for each of them, for example 'keep'", if: !kept.isEmpty)
    add(
      "history",
      "the persistent history was removed: \(Self.counted(result.transactions, "transaction"))",
      if: result.transactions > 0)
    let cloud = result.cloudTables.filter { $0.value > 0 }
    add(
      "cloud", "CloudKit's tables were emptied: \(cloud.keys.sorted().joined(separator: ", "))",
      "an app with the same container would upload the rows again", if: !cloud.isEmpty)
    add(
      "metadata",
      "keys were removed from the metadata: \(result.metadataKeys.joined(separator: ", "))",
      "--keep-metadata keeps the app's own metadata", if: !result.metadataKeys.isEmpty)
    add(
      "derived",
      "derived attributes were set to NULL, because Apple doesn't document the derivation: "
        + result.clearedDerived.joined(separator: ", "),
      if: !result.clearedDerived.isEmpty)
    add(
      "random-key", "the key was random and isn't saved: the next run creates different values",
      "to get the same values in each run, use --key-file", if: isRandom)
    let verb = result.dropsOtherContent ? "were removed" : "were kept with their content"
    add(
      "other-content",
      "tables and columns that aren't part of the model \(verb): \(result.otherContent.listed)",
      if: result.otherContent.holdsValues)
    if let first = result.filesLeft.first {
      remarks.append(
        DiagnosticMessage(
          .warning, "anonymize.file-left",
          "\(Self.counted(Int64(result.filesLeft.count), "file")) of values couldn't be replaced",
          help: ["the first: \(first)"]))
    }
    return remarks
  }

  private static func counted(_ count: Int64, _ noun: String) -> String {
    "\(Int(count).grouped) \(noun.plural(count))"
  }
}

/// The output of `anonymize`.
struct AnonymizationFacts: Encodable {
  let store: LocalPath
  let output: LocalPath?
  let bytesBefore: Int64
  let bytesAfter: Int64?
  let transactions, changes: Int64
  let filesReplaced, filesKept: Int
  let filesLeft, cloudTables, otherContent, metadataKeys, clearedDerived: [String]
  let identity: String?
  let attributes: [AttributeFacts]

  struct AttributeFacts: Encodable {
    let entity, attribute, type, rule: String
    let byDefault: Bool
    let values: Int64
  }

  init(of result: AnonymizationResult, store: LocalPath, output: LocalPath?) {
    (self.store, self.output) = (store, output)
    (bytesBefore, bytesAfter) = (result.bytesBefore, result.bytesAfter)
    (transactions, changes) = (result.transactions, result.changes)
    (filesReplaced, filesKept) = (result.filesReplaced, result.filesKept)
    (filesLeft, cloudTables) = (result.filesLeft, result.cloudTables.keys.sorted())
    let other = result.otherContent
    let columns = other.columns.flatMap { table, names in names.map { "\(table).\($0)" } }
    otherContent = other.virtualTables + other.tables + columns.sorted()
    (metadataKeys, clearedDerived) = (result.metadataKeys, result.clearedDerived)
    identity = result.newIdentity
    attributes = result.attributes.map {
      AttributeFacts(
        entity: $0.entity, attribute: $0.name, type: $0.type, rule: $0.rule.text,
        byDefault: $0.isDefault, values: $0.values)
    }
  }
}
