package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where formatted bytes go.
package protocol ByteSink: Sendable {
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws
}

/// A file descriptor that is written with `write(2)`. The process must ignore SIGPIPE.
package struct OutputFile: ByteSink, Hashable {
  package let descriptor: Int32
  /// Control characters are shown; line feeds and tabs stay.
  private let escapesControls: Bool

  package init(descriptor: Int32, escapesControls: Bool = false) {
    self.descriptor = descriptor
    self.escapesControls = escapesControls
  }

  /// Where a result goes. Files and pipes get what it holds, a terminal gets nothing that would command it.
  package static let standard = OutputFile(
    descriptor: STDOUT_FILENO, escapesControls: isatty(STDOUT_FILENO) == 1)

  /// Standard output for text of which nothing but our own colors commands a terminal.
  package static let styled = OutputFile(descriptor: STDOUT_FILENO)

  /// - Parameter bytes: whole characters.
  /// - Throws: `OutputClosed` when the reader has gone, else `OutputError`.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard escapesControls else { return try writeAll(bytes) }
    var text = ControlCharacters.escaped(
      in: String(decoding: bytes, as: UTF8.self), keeping: ["\n", "\t"])
    try text.withUTF8(writeAll)
  }

  /// - Throws: `OutputClosed` when the reader has gone, otherwise `OutputError`.
  package func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write($0) }
  }

  private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN: waitUntilWritable()
        case EPIPE: throw OutputClosed()
        case let number: throw OutputError(number: number)
        }
      } else {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  /// A descriptor that another process has made non-blocking.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// The reader of our output has gone (`| head`): the command ends silently, with success.
package struct OutputClosed: Error, Hashable {
  package init() {}
}

/// The output could not be written: the disk is full, say.
package struct OutputError: DiagnosableError, Hashable {
  /// `errno`
  package var number: Int32

  package var diagnostics: [Diagnostic] {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return [
      Diagnostic(
        .error, "output.write-failed", "the output cannot be written: \(reason)",
        cause: .inputOutput)
    ]
  }
}
