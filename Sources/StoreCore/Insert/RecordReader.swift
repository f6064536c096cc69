package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel

/// A reader of flat records, such as the rows of a CSV file, which writes each record to a row of `PackedRows`.
package protocol RecordReader: ~Copyable, SendableMetatype {
  /// Reads the next record as the next row of `rows`. Returns false at the end of the input.
  ///
  /// - Throws: `RowError` for a wrong record or header. The reader can continue after a wrong record. `InputError`,
  ///   after which it can't continue.
  mutating func read(into rows: PackedRows, by encoder: inout RowEncoder) throws -> Bool

  /// The name of the input for messages.
  var inputName: String { get }
}

extension RowEncoder {
  /// Ends a record that begins at `start` of a file.
  mutating func endRecord(
    _ record: Int, in rows: PackedRows, at start: TextPosition, of file: String
  ) throws(RowError) {
    do {
      try endRecord(in: rows, at: start)
    } catch {
      throw RowError(
        error, entity: plan.entity, record: record,
        place: SourcePlace(file: file, line: start.line, column: start.column))
    }
  }
}

extension RecordFormat {
  /// The format by the file's extension, or nil for an unknown extension.
  package init?(path: LocalPath) {
    let name = "\(path)".lowercased()
    if name.hasSuffix(".csv") {
      self = .csv
    } else if name.hasSuffix(".tsv") || name.hasSuffix(".tab") {
      self = .tsv
    } else if [".json", ".ndjson", ".jsonl"].contains(where: name.hasSuffix) {
      self = .json
    } else {
      return nil
    }
  }

  /// The options of reading a delimited format, or nil for JSON.
  ///
  /// - Parameter delimiter: replaces the default of the format.
  package func dialect(_ delimiter: FieldDelimiter?) -> CSVDialect? {
    let own: CSVDialect
    switch self {
    case .json: return nil
    case .csv: own = .detected
    case .tsv: own = .tabs
    }
    return CSVDialect(
      delimiter: delimiter ?? own.delimiter, hasEscapes: own.hasEscapes)
  }

  /// The format by the first character after whitespace and a byte order mark: JSON for `{` or `[`, otherwise CSV.
  package init(sniffing bytes: some Sequence<UInt8>) {
    let first = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    self = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }
}
