package import StoreDiagnostics
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where input bytes come from, piece by piece.
package protocol ByteSource: Sendable {
  /// The path for messages; `<stdin>` for standard input.
  var name: String { get }

  /// How many bytes a record may have, which is in memory as a whole.
  var recordLimit: Int { get }

  /// Fills the beginning of `space`. Zero means the end of the input.
  mutating func read(into space: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
  package var recordLimit: Int { RecordLimit.greatest }
}

/// How long a record may be, in bytes.
package enum RecordLimit {
  /// SQLite takes no longer values: https://www.sqlite.org/limits.html
  package static let greatest = 1_000_000_000
  /// Where the user says nothing.
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
    /// The bytes read so far.
    let count = Atomic(0)
  }

  /// - Parameter cancellation: ends the waiting for the bytes of a pipe.
  /// - Throws: `InputFileError`
  package init(
    path: FilePath, cancellation: Cancellation = .ofProcess
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

  /// How much of the file has been read, from 0 to 1; nil for a pipe, whose end nobody knows.
  package var share: Double? {
    guard let status, status.kind == .file, status.size > 0 else { return nil }
    return min(1, Double(progress.count.load(ordering: .relaxed)) / Double(status.size))
  }
}

/// An input file that could not be opened or read.
package struct InputFileError: DiagnosableError, Hashable {
  /// The form for people.
  package var path: String
  let error: SystemError

  package var isMissing: Bool { error.isMissing }

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, isMissing ? "input.not-found" : "input.unreadable",
        isMissing ? "there is no file '\(path)'" : "'\(path)' cannot be read: \(error.message)",
        cause: isMissing ? .notFound : .inputOutput)
    ]
  }
}
