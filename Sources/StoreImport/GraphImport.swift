package import RecordFormats
package import SQLiteAccess
import StoreCore
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StorePredicate

/// Nested JSON, or CSV, into rows and relationships, all or nothing.
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
  ///   - entity: what records are that do not say so themselves.
  ///   - store: the store's UUID, for references to its rows.
  ///   - root: the path to the records in the document.
  ///   - isStrict: keys that no property takes are errors.
  ///   - dateFormat: how dates are written where the model does not say it; nil is ISO 8601.
  ///   - keys: by which attributes objects are known, where the model does not say it, or something else.
  ///   - policy: what becomes of a value that is another one than that of the row with the same key.
  ///   - members: what becomes of members of a row that its object does not list, where the policy lets it take values.
  ///   - links: what becomes of references to rows that don't exist.
  /// - Throws: `ModelLookupError`, `ImportError.badRule`, `ImportError.badKey`.
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

  /// What an import has done.
  package struct Result: Hashable, Sendable {
    package var records: Int
    /// New rows by entity.
    package var inserted: [String: Int]
    /// Rows that were there and have other values now, by entity.
    package var updated: [String: Int] = [:]
    /// Rows that were there and of which only relationships changed, also by a record of another row, by entity.
    package var relinked: [String: Int] = [:]
    /// Rows that were there, are in the input, and stayed as they were.
    package var unchanged = 0
    /// Lists that leave out members of their row, or order them otherwise, and were not applied, by relationship.
    package var unappliedLists: [String: Int] = [:]
    /// Rows that several objects claim and only one can have, by entity.
    package var contested: [String: Int] = [:]
    /// References to rows that don't exist and that were left out, by relationship.
    package var skippedLinks: [String: Int] = [:]
    /// `null` in lists of members, by relationship.
    package var nullMembers: [String: Int] = [:]
    /// What is remarkable about dates, by attribute.
    package var dates: [String: DateCounts] = [:]
    /// JSON paths that no property took, with how often they came.
    package var ignored: [String: Int]
    /// Decimals that a Double could not keep exactly.
    package var roundedDecimals: Int
    /// New rows of entities that had rows and no key, so that nobody looked for those that are the same.
    package var withoutKey: [String: Int] = [:]
    /// New rows of entities that had rows, without all values of their key.
    package var withoutKeyValue: [String: Int] = [:]
    /// New rows whose `$id` is that of a row which is gone.
    package var renamed: [String: Int] = [:]
  }

  /// Reads and writes one input, as `run` with several does.
  package func run(
    _ source: some ByteSource, format: RecordFormat = .json, delimiter: FieldDelimiter? = nil,
    on connection: Connection, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    try run(
      [ImportInput(source, format: format, delimiter: delimiter)], on: connection,
      cancellation: cancellation, progress: progress)
  }

  /// Reads and writes everything; to be run in a write transaction, which rolls back when it throws.
  ///
  /// Records may refer to records of any input.
  ///
  /// - Parameter progress: called now and then with the records read so far.
  /// - Throws: `DiagnosticError`, `InputError`, `RowError`, `DatabaseError`, `Cancelled`.
  package func run(
    _ inputs: [ImportInput], on connection: Connection, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    let places = ImportInputs(count: inputs.count)
    var reading = Reading(
      mapper: mapper,
      writer: try GraphWriter(
        layout: layout, store: store, dateFormats: dateFormats, keys: keys,
        comparison: comparison, missingLinks: missingLinks, inputs: places, on: connection),
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

  /// What is being read and written.
  private struct Reading {
    var mapper: RecordMapper
    var writer: GraphWriter
    let inputs: ImportInputs
    /// The records of all inputs.
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
      // Ctrl-C ends the program that feeds a pipe, too: that is not an end of the input.
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

  /// Records between two looks at the user's wishes.
  private static let batch = 512
}

extension GraphImport.Result {
  package init(inserted: [String: Int]) {
    self.init(records: 0, inserted: inserted, ignored: [:], roundedDecimals: 0)
  }
}

/// What becomes of references to rows that neither the input nor the store has.
package enum MissingLinkPolicy: String, Hashable, Sendable, CaseIterable {
  /// References are resolved when all files are read; a reference that then leads nowhere is an error.
  case wait
  /// Such references are left out.
  case skip
}

extension Diagnostic {
  fileprivate func of(_ record: GraphWriter.Record) -> Diagnostic {
    var located = self
    located.message = "record \(record.number): \(message)"
    located.place = record.place
    return located
  }
}

/// The rows of CSV as records: an object for each, its keys out of the header.
///
/// What an export as CSV writes comes back: an empty field is NULL, and the members of a to-many
/// relationship stand in one field with blanks between.
struct CSVImportRecords: ImportRecordSource, ~Copyable {
  private var scanner: CSVScanner
  private let listColumns: Set<String>
  private var header: [String]?

  let inputName: String
  private(set) var count = 0

  /// - Parameter listColumns: the to-many relationships.
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
    count += 1
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
