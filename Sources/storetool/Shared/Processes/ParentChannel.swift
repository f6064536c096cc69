#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The channel of a command to the process that has started it with `ChildProcess(command:)`.
///
/// The parent sends messages. A message is a length, in four bytes, and its bytes. The command sends lines.
struct ParentChannel {
  private static let descriptor: Int32 = 3
  /// The first descriptor beside the channel that the parent has passed.
  static let firstPassed: Int32 = 4

  /// - Parameter passed: how many descriptors the parent has passed. Processes that the command starts get none of them.
  init(passed: Int32 = 0) {
    for descriptor in Self.descriptor..<Self.firstPassed + passed {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Waits for the next message.
  ///
  /// - Returns: nil after the parent has closed the channel or has ended.
  func receive() -> [UInt8]? {
    guard let length = receive(4) else { return nil }
    return receive(Int(length.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var space = [UInt8](repeating: 0, count: count - bytes.count)
      let received = read(Self.descriptor, &space, space.count)
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return nil }
      bytes += space.prefix(received)
    }
    return bytes
  }

  /// - Returns: false if the parent has closed the channel or has ended.
  func send(_ line: String) -> Bool {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(Self.descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
