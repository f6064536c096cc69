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

/// An open file that gets bytes. The process must ignore SIGPIPE.
package struct OutputFile: ByteSink {
  private let file: OpenFile
  /// Control characters are shown; line feeds and tabs stay.
  private let escapesControls: Bool

  /// Where a result goes. Files and pipes get what it holds, a terminal gets nothing that would command it.
  package static let standard = OutputFile(
    file: .standardOutput, escapesControls: isatty(STDOUT_FILENO) == 1)

  /// Standard output for text of which nothing but our own colors commands a terminal.
  package static let styled = OutputFile(file: .standardOutput, escapesControls: false)

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
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      guard error.code != EPIPE else { throw OutputClosed() }
      throw OutputError(error: error)
    }
  }
}

/// The reader of our output has gone (`| head`): the command ends silently, with success.
package struct OutputClosed: Error, Hashable {
  package init() {}
}

/// The output could not be written: the disk is full, say.
package struct OutputError: DiagnosableError, Hashable {
  let error: SystemError

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "output.write-failed", "the output cannot be written: \(error.message)",
        cause: .inputOutput)
    ]
  }
}
