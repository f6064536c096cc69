package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel

/// Flat records out of a text format, each put straight into a packed row.
package protocol RecordReader: ~Copyable, SendableMetatype {
  /// Reads the next record as the next row of `rows`; false at the end of the input.
  ///
  /// - Throws: `RowError` for a record that is wrong: the reader then stands behind it and can go
  ///   on. `InputError`, after which it cannot.
  mutating func read(into rows: PackedRows, by encoder: inout RowEncoder) throws -> Bool

  /// The input's name for messages.
  var inputName: String { get }
}

extension RecordFormat {
  /// By the file's extension; nil when that says nothing.
  package init?(path: FilePath) {
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

  /// How the delimited formats are read; nil for JSON.
  ///
  /// - Parameter delimiter: overrides the format's own.
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

  /// By the first bytes of the text: an object or an array is JSON.
  package init(sniffing bytes: some Sequence<UInt8>) {
    let first = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    self = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }
}
