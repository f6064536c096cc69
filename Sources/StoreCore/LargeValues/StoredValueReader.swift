import PredicateSQL
import RecordFormats
import StoreLayout

/// Reads the values of columns that allow external storage for the formats.
final class StoredValueReader: LargeValueReader {
  /// The folder of the values in files of their own; nil where there is none.
  private let folder: ExternalFolder?

  init(folder: ExternalFolder?) {
    self.folder = folder
  }

  func noteInvalidText() { folder?.noteInvalidText() }

  /// - Throws: `ExternalValueMissing`
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws {
    switch ExternalValue(stored: stored) {
    case .inline(let value): use(value)
    case .file(let name):
      guard let folder else { throw ExternalValueMissing(name: name, folder: nil) }
      try folder.read(name)?.withUnsafeBufferPointer(use)
    }
  }
}

extension ExternalFolder {
  /// Reads the files for SQL functions.
  var storedBytes: StoredBytes.Files {
    StoredBytes.Files(
      bytes: { name throws(StoredBytes.UnreadableFile) in
        do throws(ExternalValueMissing) {
          return try read(name) ?? []
        } catch {
          throw StoredBytes.UnreadableFile(reason: error.message)
        }
      },
      size: { name in
        do throws(ExternalValueMissing) {
          return try reading(name) { folder throws(ExternalFileError) in
            try folder.opened(name).size()
          }
        } catch {
          return nil
        }
      })
  }
}
