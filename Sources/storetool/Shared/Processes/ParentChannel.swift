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
/// The parent sends messages, which consist of a length in four bytes and the bytes. The command sends lines.
struct ParentChannel {
  private static let file = OpenFile(descriptor: 3)
  /// The first passed file after the channel.
  static let firstPassed = OpenFile(descriptor: 4)

  /// - Parameter passed: The number of files that the parent has passed. Processes that the command starts don't
  ///   inherit them.
  init(passed: Int32 = 0) {
    for descriptor in Self.file.descriptor..<Self.firstPassed.descriptor + passed {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Waits for the next message.
  ///
  /// - Returns: Nil after the parent has closed the channel or has ended.
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
