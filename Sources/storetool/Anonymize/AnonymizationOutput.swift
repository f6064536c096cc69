import RecordFormats
import StoreAnonymization
import StoreDiagnostics

/// Prints what was replaced, or would be: facts on standard output, a sentence and what is to be known on standard error.
struct AnonymizationOutput {
  private let format: RowFormat?

  init(_ format: RowFormat?) {
    self.format = format
  }

  func print(
    _ result: AnonymizationResult, of store: FilePath, into output: FilePath?, isDryRun: Bool,
    _ book: RuleBook, isRandom: Bool
  ) throws {
    if format != nil || isDryRun {
      let facts = AnonymizationFacts.facts(of: result, store: store, output: output)
      try FactWriter(format ?? .standard).print(facts)
    }
    let counts = Self.counts(of: result)
    if isDryRun {
      Terminal.err.write("would replace \(counts); nothing was written\n")
    } else {
      let size = result.bytesAfter.map { ", \(ByteCount.text($0))" } ?? ""
      Terminal.err.write(
        output.map { "made '\($0)'\(size): replaced \(counts)\n" }
          ?? "anonymized '\(store)'\(size): replaced \(counts)\n")
    }
    Terminal.report(remarks(on: result, book, isRandom: isRandom && !isDryRun))
  }

  /// `1,204 values of 7 attributes`
  private static func counts(of result: AnonymizationResult) -> String {
    let replaced = result.attributes.filter { $0.rule != .keep }
    let values = replaced.map(\.values).reduce(0, +)
    return "\(Int(values).grouped) \("value".plural(values)) of \(replaced.count) "
      + "attribute".plural(replaced.count)
  }

  private func remarks(
    on result: AnonymizationResult, _ book: RuleBook, isRandom: Bool
  ) -> [Diagnostic] {
    var remarks: [Diagnostic] = []
    func add(_ code: String, _ message: String, _ help: String? = nil, if holds: Bool) {
      guard holds else { return }
      let note = Diagnostic(.note, "anonymize.\(code)", message)
      remarks.append(help.map { note.helping($0) } ?? note)
    }
    let kept = book.keptByDefault
    add(
      "kept", "kept, since nothing is said of them: \(kept.joined(separator: ", "))",
      "a rule for each, also 'keep', ends this note", if: !kept.isEmpty)
    add(
      "history",
      "the persistent history is gone: \(Self.counted(result.transactions, "transaction"))",
      if: result.transactions > 0)
    let cloud = result.cloudTables.filter { $0.value > 0 }
    add(
      "cloud", "emptied CloudKit's tables: \(cloud.keys.sorted().joined(separator: ", "))",
      "an app with the same container would send the rows to its cloud anew", if: !cloud.isEmpty)
    add(
      "metadata", "left out of the metadata: \(result.metadataKeys.joined(separator: ", "))",
      "--keep-metadata keeps what the app has put there", if: !result.metadataKeys.isEmpty)
    add(
      "derived",
      "became NULL, since Apple documents no such derivation: \(result.clearedDerived.joined(separator: ", "))",
      if: !result.clearedDerived.isEmpty)
    add(
      "random-key", "the key was random and is not kept: another run gives other values",
      "--key-file keeps them the same", if: isRandom)
    let verb = result.dropsOtherContent ? "left out" : "kept with all that is in it"
    add(
      "other-content", "not of the model, and \(verb): \(result.otherContent.listed)",
      if: result.otherContent.holdsValues)
    if let first = result.filesLeft.first {
      remarks.append(
        Diagnostic(
          .warning, "anonymize.file-left",
          "\(Self.counted(Int64(result.filesLeft.count), "file")) of values could not be dealt with",
          help: ["the first: \(first)"]))
    }
    return remarks
  }

  private static func counted(_ count: Int64, _ noun: String) -> String {
    "\(Int(count).grouped) \(noun.plural(count))"
  }
}

/// The facts of `anonymize`.
enum AnonymizationFacts {
  static func facts(
    of result: AnonymizationResult, store: FilePath, output: FilePath?
  ) -> Facts {
    var page = FactObject()
    page.add("store", store)
    page.add("output", output)
    page.add("bytesBefore", result.bytesBefore)
    page.add("bytesAfter", result.bytesAfter)
    page.add("transactions", result.transactions)
    page.add("changes", result.changes)
    page.add("filesReplaced", result.filesReplaced)
    page.add("filesKept", result.filesKept)
    page.add("filesLeft", result.filesLeft)
    page.add("cloudTables", result.cloudTables.keys.sorted())
    page.add(
      "otherContent",
      result.otherContent.virtualTables + result.otherContent.tables
        + result.otherContent.columns.flatMap { table, names in names.map { "\(table).\($0)" } }
        .sorted())
    page.add("metadataKeys", result.metadataKeys)
    page.add("clearedDerived", result.clearedDerived)
    page.add("identity", result.newIdentity)
    page.add(
      "attributes",
      result.attributes.map { attribute in
        var object = FactObject()
        object.add("entity", attribute.entity)
        object.add("attribute", attribute.name)
        object.add("type", attribute.type)
        object.add("rule", attribute.rule.text)
        object.add("byDefault", attribute.isDefault)
        object.add("values", attribute.values)
        return object
      })
    return .page(page.value)
  }
}
