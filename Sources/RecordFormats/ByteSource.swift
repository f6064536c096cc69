package import StoreDiagnostics
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A source of input that is read in pieces.
package protocol ByteSource: Sendable {
  /// The path to show in messages; `<stdin>` for standard input.
  var name: String { get }

  /// The maximum length of a record in bytes. A record is kept in memory as a whole.
  var recordLimit: Int { get }

  /// Reads bytes into `space`. Returns the number of bytes, or 0 at the end of the input.
  mutating func read(into space: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
  package var recordLimit: Int { RecordLimit.greatest }
}

/// The maximum length of a record in bytes.
package enum RecordLimit {
  /// SQLite's limit for values: https://www.sqlite.org/limits.html
  package static let greatest = 1_000_000_000
  /// The default limit of an import.
  package static let standard = 64_000_000
}

/// A file or standard input, read with `read(2)`.
package struct InputFile: ByteSource {
  package let name: String
  package var recordLimit = RecordLimit.greatest
  private let file: OpenFile
  private let status: FileStatus?
  private let progress = Progress()
  private let cancellation: Cancellation

  private final class Progress: Sendable {
    /// The number of bytes read so far.
    let count = Atomic(0)
  }

  /// - Parameter cancellation: the flag that makes `read` stop waiting for a pipe and throw `Cancelled`.
  /// - Throws: `InputFileError` if the file can't be opened or is a folder.
  package init(
    path: LocalPath, cancellation: Cancellation = .ofProcess
  ) throws(InputFileError) {
    do throws(SystemError) {
      self.init(name: "\(path)", file: try OpenFile(path, O_RDONLY), cancellation)
      if status?.kind == .folder { throw SystemError(code: EISDIR) }
    } catch {
      throw InputFileError(path: "\(path)", error: error)
    }
  }

  private init(name: String, file: OpenFile, _ cancellation: Cancellation) {
    self.name = name
    self.file = file
    status = FileStatus(of: file)
    self.cancellation = cancellation
  }

  package static let standard = InputFile(name: "<stdin>", file: .standardInput, .ofProcess)

  package func read(into space: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      try file.waitForBytes(cancellation)
      do throws(SystemError) {
        let count = try file.read(into: space)
        progress.count.add(count, ordering: .relaxed)
        return count
      } catch {
        guard error.code == EAGAIN else { throw InputFileError(path: name, error: error) }
      }
    }
  }

  /// The share of the file that has been read, from 0 to 1; nil if its length is 0 or unknown, as for a pipe.
  package var share: Double? {
    guard let status, status.kind == .file, status.size > 0 else { return nil }
    return min(1, Double(progress.count.load(ordering: .relaxed)) / Double(status.size))
  }
}

/// An input file that can't be opened or read.
package struct InputFileError: DiagnosableError, Hashable {
  /// The path for display.
  package var path: String
  let error: SystemError

  package var isMissing: Bool { error.isMissing }

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, isMissing ? "input.not-found" : "input.unreadable",
        isMissing ? "the file '\(path)' doesn't exist" : "'\(path)' can't be read: \(error.reason)",
        cause: isMissing ? .notFound : .inputOutput)
    ]
  }
}
