import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The channel of a command to the process that has started it with `ChildProcess(command:)`.
///
/// The parent sends messages, each of which is a length in four bytes, followed by the content. The command sends lines
/// of text.
struct ParentChannel {
  private static let file = OpenFile(descriptor: 3)
  /// The first of the files that the parent passes in addition to the channel.
  static let firstPassed = OpenFile(descriptor: 4)

  /// Makes the channel and the passed files close-on-exec, so that processes that this command starts don't inherit
  /// them.
  ///
  /// - Parameter passed: The number of files that the parent has passed in addition to the channel.
  init(passed: Int32 = 0) {
    for descriptor in Self.file.descriptor..<Self.firstPassed.descriptor + passed {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Waits for the next message.
  ///
  /// - Returns: The content of the message; nil after the parent has closed the channel or has ended.
  func receive() -> [UInt8]? {
    guard let length = receive(4) else { return nil }
    return receive(Int(length.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count < count {
        let piece = try Self.file.read(upTo: count - bytes.count)
        if piece.isEmpty { return nil }
        bytes += piece
      }
      return bytes
    } catch {
      return nil
    }
  }

  /// Sends a line, which includes its newline, to the parent.
  ///
  /// - Returns: False if the parent has closed the channel or has ended.
  func send(_ line: String) -> Bool {
    do throws(SystemError) {
      try Self.file.write(Array(line.utf8))
      return true
    } catch {
      return false
    }
  }
}
