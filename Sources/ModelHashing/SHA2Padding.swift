/// What SHA-256 and SHA-512 put behind a message: a bit, zeros, and the length in bits.
enum SHA2Padding {
  /// - Parameter block: the length in bytes of a block, an eighth of which holds the message's.
  static func padded(_ message: [UInt8], to block: Int) -> [UInt8] {
    var bytes = message + [0x80]
    let room = block / 8
    let rest = (bytes.count + room) % block
    bytes += [UInt8](repeating: 0, count: (rest == 0 ? 0 : block - rest) + room - 8)
    withUnsafeBytes(of: (UInt64(message.count) &* 8).bigEndian) { bytes += $0 }
    return bytes
  }
}
