package import StoreModel
package import RecordFormats
import StoreCore

/// One of the files of an import.
package struct ImportInput: Sendable {
  let source: any ByteSource
  let dialect: CSVDialect?

  /// - Parameter delimiter: between the fields of CSV, where it isn't detected.
  package init(
    _ source: any ByteSource, format: RecordFormat = .json, delimiter: FieldDelimiter? = nil
  ) {
    self.source = source
    dialect = format.dialect(delimiter)
  }
}

/// The files whose records an import has read. Records are numbered through all of them, and messages name the file and the
/// number in it.
final class ImportInputs {
  /// The files, each with the number of the record before its first one.
  private var files: [(name: String, before: Int)] = []
  private let isSeveral: Bool

  init(count: Int) { isSeveral = count > 1 }

  func begin(_ name: String, after record: Int) { files.append((name, record)) }

  /// The file and the number in it of a record.
  func locate(_ record: Int) -> (file: String, number: Int) {
    guard let file = files.last(where: { $0.before < record }) else { return ("", record) }
    return (file.name, record - file.before)
  }

  /// How a message without a location names a record.
  func reference(
    _ relationship: String, to target: String, of record: Int
  ) -> ImportError.Reference {
    let (file, number) = locate(record)
    return ImportError.Reference(
      relationship: relationship, target: target, record: number, file: isSeveral ? file : nil)
  }
}
