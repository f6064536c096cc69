import PredicateSQL
import RecordFormats
package import StoreDiagnostics
import StoreLayout

/// Reads values of columns that allow external storage, for the output formats.
final class StoredValueReader: LargeValueReader {
  /// The folder with external values. If it is nil, a value in a file is an error.
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
  /// The closures with which SQL functions read the files and their sizes.
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

/// The error for a row that refers to an external file that doesn't exist, can't be read, or isn't a regular file.
package struct ExternalValueMissing: Error, Hashable {
  package var name: String
  package var folder: LocalPath?
  package var problem = ExternalFileError.missing
}

extension ExternalValueMissing: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  var message: String { diagnostic.message }

  private var diagnostic: DiagnosticMessage {
    let file = "the file '\(name)' that holds a value of the store"
    return switch problem {
    case .missing:
      DiagnosticMessage(
        .error, "store.external-value-missing",
        "\(file) doesn't exist\(folder.map { " in '\($0)'" } ?? "")", cause: .notFound,
        help: ["copy the store together with its folder '.NAME_SUPPORT'"])
    case .link(let path):
      DiagnosticMessage(
        .error, "store.external-value-not-followed",
        "\(file) wasn't read, because '\(path)' is a symbolic link",
        help: ["replace the link with the file or folder that it refers to"])
    case .special(let path):
      DiagnosticMessage(
        .error, "store.external-value-not-followed",
        "\(file) wasn't read, because '\(path)' isn't a regular file")
    case .unreadable(let path, let error):
      DiagnosticMessage(
        .error, "store.external-value-unreadable",
        "\(file) can't be read: '\(path)': \(error.message)", cause: .inputOutput)
    }
  }
}
