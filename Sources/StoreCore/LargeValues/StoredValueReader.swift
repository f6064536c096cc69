import PredicateSQL
import RecordFormats
package import StoreDiagnostics
import StoreLayout

/// Reads the values of columns that allow external storage for the formats.
final class StoredValueReader: LargeValueReader {
  /// The folder with external values, or nil if there is none.
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

/// A row refers to an external file that doesn't exist or isn't read.
package struct ExternalValueMissing: Error, Hashable {
  package var name: String
  package var folder: FilePath?
  package var problem = ExternalFileError.missing
}

extension ExternalValueMissing: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, "store.\(code)", message, cause: cause, help: help)]
  }

  private var code: String {
    switch problem {
    case .missing: "external-value-missing"
    case .link, .special: "external-value-not-followed"
    case .unreadable: "external-value-unreadable"
    }
  }

  private var cause: Diagnostic.Cause {
    switch problem {
    case .missing: .notFound
    case .link, .special: .invalid
    case .unreadable: .inputOutput
    }
  }

  var message: String {
    let file = "the file '\(name)' that holds a value of the store"
    switch problem {
    case .missing: return "\(file) doesn't exist\(folder.map { " in '\($0)'" } ?? "")"
    case .link(let path):
      return "\(file) wasn't read, because '\(path)' is a symbolic link"
    case .special(let path): return "\(file) wasn't read, because '\(path)' isn't a regular file"
    case .unreadable(let path, let error):
      return "\(file) can't be read: '\(path)': \(error.message)"
    }
  }

  private var help: [Remedy] {
    switch problem {
    case .missing: ["copy the store together with its folder '.NAME_SUPPORT'"]
    case .link: ["put the folder or the file itself there"]
    case .special, .unreadable: []
    }
  }
}
