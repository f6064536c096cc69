package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A destination of formatted bytes.
package protocol ByteSink: Sendable {
  func write(_ bytes: UnsafeBufferPointer<UInt8>) throws
}

/// An open file for output. The process must ignore SIGPIPE.
package struct OutputFile: ByteSink {
  private let file: OpenFile
  /// Whether control characters are escaped, except line feeds and tabs.
  private let escapesControls: Bool

  /// Standard output for results. Files and pipes receive the bytes as they are. If it is a terminal, control
  /// characters are escaped.
  package static let standard = OutputFile(
    file: .standardOutput, escapesControls: isatty(STDOUT_FILENO) == 1)

  /// Standard output for text whose only control characters are storetool's own colors.
  package static let styled = OutputFile(file: .standardOutput, escapesControls: false)

  /// Opens an existing file for writing.
  ///
  /// - Throws: `OutputError`
  package static func existing(at path: LocalPath) throws(OutputError) -> OutputFile {
    do {
      return OutputFile(file: try OpenFile(path, O_WRONLY), escapesControls: false)
    } catch {
      throw OutputError(error: error)
    }
  }

  /// - Parameter bytes: the bytes, which must not end within a character.
  /// - Throws: `OutputClosed` if the reader has closed the pipe, otherwise `OutputError`.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard escapesControls else { return try writeAll(bytes) }
    var text = ControlCharacters.escaped(
      in: String(decoding: bytes, as: UTF8.self), keeping: ["\n", "\t"])
    try text.withUTF8(writeAll)
  }

  /// - Throws: `OutputClosed` if the reader has closed the pipe, otherwise `OutputError`.
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

/// The reader of the output has closed the pipe (`| head`). The command ends silently and with success.
package struct OutputClosed: Error, Hashable {
  package init() {}
}

/// An error while writing the output, such as a full disk.
package struct OutputError: DiagnosableError, Hashable {
  let error: SystemError

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "output.write-failed", "can't write the output: \(error.message)",
        cause: .inputOutput)
    ]
  }
}
