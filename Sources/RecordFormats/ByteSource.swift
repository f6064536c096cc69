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
  private let handle: Handle
  private let cancellation: Cancellation

  /// - Parameter cancellation: ends the waiting for the bytes of a pipe.
  /// - Throws: `InputFileError`
  package init(
    path: FilePath, cancellation: Cancellation = .ofProcess
  ) throws(InputFileError) {
    name = "\(path)"
    let descriptor = path.descriptor(O_RDONLY)
    guard descriptor >= 0 else { throw InputFileError(path: name, number: errno) }
    var facts = stat()
    if fstat(descriptor, &facts) == 0, FilePath.Kind(facts) == .folder {
      close(descriptor)
      throw InputFileError(path: name, number: EISDIR)
    }
    handle = Handle(descriptor: descriptor, isOwned: true)
    self.cancellation = cancellation
  }

  private init(name: String, handle: Handle) {
    self.name = name
    self.handle = handle
    cancellation = .ofProcess
  }

  package static let standard = InputFile(
    name: "<stdin>", handle: Handle(descriptor: STDIN_FILENO, isOwned: false))

  package func read(into space: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      try waitForBytes()
      let count = systemRead(handle.descriptor, space.baseAddress, space.count)
      if count >= 0 {
        handle.count.add(count, ordering: .relaxed)
        return count
      }
      guard [EINTR, EAGAIN].contains(errno) else {
        throw InputFileError(path: name, number: errno)
      }
    }
  }

  /// How much of the file has been read, from 0 to 1; nil for a pipe, whose end nobody knows.
  package var share: Double? {
    guard let size = handle.size, size > 0 else { return nil }
    return min(1, Double(handle.count.load(ordering: .relaxed)) / Double(size))
  }

  /// A pipe may stay silent for long, and a signal wakes only one thread, hardly this one: so the
  /// user's wish to stop is asked for again and again.
  private func waitForBytes() throws(Cancelled) {
    var request = pollfd(fd: handle.descriptor, events: Int16(POLLIN), revents: 0)
    var answer: Int32
    repeat {
      try cancellation.check()
      answer = poll(&request, 1, Self.pause)
      // Woken by the signal itself: reading now would wait for bytes again, and for no wish.
    } while answer == 0 || answer < 0 && errno == EINTR
  }

  /// In milliseconds.
  private static let pause: Int32 = 100

  private final class Handle: Sendable {
    let descriptor: Int32
    let isOwned: Bool
    /// Nil for what is no file.
    let size: Int?
    /// The bytes read so far.
    let count = Atomic(0)

    init(descriptor: Int32, isOwned: Bool) {
      self.descriptor = descriptor
      self.isOwned = isOwned
      var facts = stat()
      let isFile = fstat(descriptor, &facts) == 0 && FilePath.Kind(facts) == .file
      size = isFile ? Int(facts.st_size) : nil
    }

    deinit { if isOwned { close(descriptor) } }
  }
}

private func systemRead(_ descriptor: Int32, _ space: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, space, count)
}

/// An input file that could not be opened or read.
package struct InputFileError: DiagnosableError, Hashable {
  /// The form for people.
  package var path: String
  /// `errno`
  package var number: Int32

  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  package var diagnostics: [Diagnostic] {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return [
      Diagnostic(
        .error, isMissing ? "input.not-found" : "input.unreadable",
        isMissing ? "there is no file '\(path)'" : "'\(path)' cannot be read: \(reason)",
        cause: isMissing ? .notFound : .inputOutput)
    ]
  }
}
