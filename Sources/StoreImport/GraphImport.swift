package import RecordFormats
package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StorePredicate

/// An import of JSON or CSV, whose records become rows and relationships. JSON can contain nested objects.
package struct GraphImport {
  private let mapper: RecordMapper
  private let layout: StoreLayout
  private let store: String
  private let root: [String]
  private let isStrict: Bool
  private let dateFormats: DateFormats
  private let keys: ImportKeys
  private let comparison: ImportLinks.Comparison
  private let missingLinks: MissingLinkPolicy

  /// - Parameters:
  ///   - entity: the entity of records without `$entity`.
  ///   - store: the UUID of the store, for references to its rows.
  ///   - rules: the JSON paths of properties of `entity`, which override the paths in the model.
  ///   - root: the path of the records in the document.
  ///   - isStrict: whether JSON keys and CSV columns without a property are errors.
  ///   - dateFormat: the format of date attributes whose format the model doesn't specify. Nil means ISO 8601.
  ///   - keys: the attributes that identify objects of an entity. They override the import keys in the model.
  ///   - policy: the behavior if an object has the same import key as an existing row or an earlier object.
  ///   - members: whether a list in the input replaces the members of an existing row, or adds to them. It applies only
  ///     if the policy allows updates of the row.
  ///   - links: the behavior for references to missing rows.
  /// - Throws: `ModelLookupError`, `ImportError.rulesWithoutEntity`, `ImportError.badRule`, `ImportError.badKey`.
  package init(
    into layout: StoreLayout, store: String, entity: String?, rules: [ImportRule],
    root: [String], isStrict: Bool, dateFormat: DatePattern? = nil,
    keys: [ImportKeyChoice] = [], on policy: ConflictPolicy = .fail,
    members: MemberPolicy = .replace, links: MissingLinkPolicy = .wait
  ) throws {
    let model = layout.model
    let named = try entity.map { try model.requireEntity(named: $0) }
    for key in keys { try key.check(in: model) }
    self.keys = ImportKeys(model: model, chosen: keys)
    mapper = try RecordMapper(keys: self.keys, entity: named, rules: rules)
    self.layout = layout
    self.store = store
    self.root = root
    self.isStrict = isStrict
    dateFormats = DateFormats(model: model, general: dateFormat)
    comparison = ImportLinks.Comparison(policy: policy, members: members)
    missingLinks = links
  }

  package typealias Result = ImportResult

  /// Imports one input.
  package func run(
    _ source: some ByteSource, format: RecordFormat = .json, delimiter: FieldDelimiter? = nil,
    on connection: Connection, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    try run(
      [ImportInput(source, format: format, delimiter: delimiter)], on: connection,
      cancellation: cancellation, progress: progress)
  }

  /// Imports all inputs. Must be called in a write transaction, which the caller must roll back if this method throws.
  ///
  /// Records can refer to records of any input.
  ///
  /// - Parameters:
  ///   - session: the history of the transaction.
  ///   - progress: is called occasionally with the number of records read so far.
  package func run(
    _ inputs: [ImportInput], on connection: Connection,
    session: HistorySession = HistorySession(), cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    let places = ImportInputs(count: inputs.count)
    var reading = Reading(
      mapper: mapper,
      writer: try GraphWriter(
        layout: layout, store: store, dateFormats: dateFormats, keys: keys,
        comparison: comparison, missingLinks: missingLinks, inputs: places, on: connection,
        session: session),
      inputs: places)
    for input in inputs {
      guard let dialect = input.dialect else {
        let records = ImportRecords(input.source, root: root)
        try reading.take(records, cancellation, progress)
        continue
      }
      let records = CSVImportRecords(input.source, dialect, listColumns: toManyNames)
      try reading.take(records, cancellation, progress)
    }
    if isStrict, !reading.mapper.ignored.isEmpty {
      throw ImportError.ignoredKeys(reading.mapper.ignored)
    }
    try reading.writer.finish()
    return outcome(of: reading)
  }

  private var toManyNames: Set<String> {
    let all = layout.model.entities.flatMap(\.relationships)
    return Set(all.filter(\.isToMany).map(\.name))
  }

  /// The state of an import.
  private struct Reading {
    var mapper: RecordMapper
    var writer: GraphWriter
    let inputs: ImportInputs
    /// The number of records read so far, in all inputs.
    var count = 0

    mutating func take<Records: ImportRecordSource & ~Copyable>(
      _ source: consuming Records, _ cancellation: Cancellation, _ progress: (Int) -> Void
    ) throws {
      var records = source
      inputs.begin(records.inputName, after: count)
      while let json = try records.next() {
        count += 1
        let record = GraphWriter.Record(index: count, inputs: inputs, position: json.position)
        do {
          try writer.write(mapper.object(from: json), from: record)
        } catch let error as ImportError {
          throw DiagnosticError(error.diagnostics.map { $0.of(record) })
        }
        guard count % GraphImport.batch == 0 else { continue }
        try cancellation.check()
        progress(count)
      }
      // Ctrl-C also ends a program that writes to our standard input. The input then seems to be complete, but may be
      // truncated.
      try cancellation.check()
    }
  }

  private func outcome(of reading: Reading) -> Result {
    let (writer, mapper) = (reading.writer, reading.mapper)
    let isMerging = comparison.policy != .fail
    return Result(
      records: reading.count, inserted: writer.inserted, updated: writer.counts.updated,
      relinked: writer.counts.relinked, unchanged: writer.counts.unchanged,
      unappliedLists: writer.unapplied, contested: writer.contested,
      skippedLinks: writer.skippedLinks, nullMembers: mapper.nullMembers,
      dates: writer.remarkableDates, ignored: mapper.ignored,
      roundedDecimals: writer.roundedDecimals, withoutKey: isMerging ? writer.withoutKey : [:],
      withoutKeyValue: isMerging ? writer.withoutKeyValue : [:], renamed: writer.renamed)
  }

  /// The number of records between two checks for cancellation.
  private static let batch = 512
}

extension ImportResult {
  package init(inserted: [String: Int]) {
    self.init(records: 0, inserted: inserted, ignored: [:], roundedDecimals: 0)
  }
}

extension DiagnosticMessage {
  fileprivate func of(_ record: GraphWriter.Record) -> DiagnosticMessage {
    var located = self
    located.message = "record \(record.number): \(message)"
    located.place = record.place
    return located
  }
}

/// The rows of CSV as records. Each record is an object whose keys are the names in the header.
///
/// As in the CSV of an export, an empty field without quotes is NULL, and the members of a to-many relationship are in
/// one field, separated by spaces.
struct CSVImportRecords: ImportRecordSource, ~Copyable {
  private var scanner: CSVScanner
  private let listColumns: Set<String>
  private var header: [String]?

  let inputName: String

  /// - Parameter listColumns: the names of the columns that contain to-many relationships.
  init(
    _ source: some ByteSource, _ dialect: CSVDialect = .detected, listColumns: Set<String>
  ) {
    scanner = CSVScanner(source, dialect)
    inputName = source.name
    self.listColumns = listColumns
  }

  /// - Throws: `InputError`
  mutating func next() throws -> JSONValue? {
    let header = try self.header ?? readHeader()
    self.header = header
    let line = scanner.input.line
    var token = try scanner.next()
    guard token != .end else { return nil }
    var members: [JSONValue.Member] = []
    var fieldCount = 0
    while token != .endOfRecord, token != .end {
      if fieldCount < header.count {
        let key = header[fieldCount]
        members.append(JSONValue.Member(key: key, value: value(of: token, for: key)))
      }
      fieldCount += 1
      token = try scanner.next()
    }
    guard fieldCount == header.count else {
      throw InputError(
        kind: .fieldCount(fieldCount, expected: header.count),
        place: SourcePlace(file: inputName, line: line, column: 1), excerpt: nil)
    }
    return JSONValue(.object(members), at: TextPosition(line: line, column: 1))
  }

  private mutating func value(of token: CSVScanner.Token, for key: String) -> JSONValue {
    let position = scanner.tokenPosition()
    guard token == .field else { return JSONValue(.null, at: position) }
    let text = String(decoding: scanner.text, as: UTF8.self)
    guard listColumns.contains(key) else { return JSONValue(.string(text), at: position) }
    let parts = text.split(separator: " ").map { JSONValue(.string(String($0)), at: position) }
    return JSONValue(.array(parts), at: position)
  }

  private mutating func readHeader() throws -> [String] {
    var names: [String] = []
    var known: Set<String> = []
    var token = try scanner.next()
    while token != .endOfRecord, token != .end {
      let name = String(decoding: scanner.text, as: UTF8.self)
      guard token == .field, !name.isEmpty else { throw headerError(.emptyHeader) }
      guard known.insert(name).inserted else { throw headerError(.duplicateHeader(name)) }
      names.append(name)
      token = try scanner.next()
    }
    return names
  }

  private mutating func headerError(_ kind: InputError.Kind) -> InputError {
    let (place, excerpt) = scanner.tokenPlace()
    return InputError(kind: kind, place: place, excerpt: excerpt)
  }
}
