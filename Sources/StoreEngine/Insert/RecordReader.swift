package import StoreSQL
package import StoreDiagnostics

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

/// The text formats of flat records.
public enum RecordFormat: String, Hashable, Sendable, CaseIterable {
  /// NDJSON, that is objects one after the other, or one array of them.
  case json
  /// Records below a header that names the properties.
  case csv

  /// By the file's extension; nil when that says nothing.
  package init?(path: FilePath) {
    let name = "\(path)".lowercased()
    if name.hasSuffix(".csv") {
      self = .csv
    } else if [".json", ".ndjson", ".jsonl"].contains(where: name.hasSuffix) {
      self = .json
    } else {
      return nil
    }
  }

  /// By the first bytes of the text: an object or an array is JSON.
  package init(sniffing bytes: some Sequence<UInt8>) {
    let first = bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    self = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .csv
  }
}
