/// Digests that only who has the key can compute: HMAC with SHA-256 (RFC 2104).
package struct KeyedDigest: Hashable, Sendable {
  private let inner: [UInt8]
  private let outer: [UInt8]

  /// - Parameter key: any bytes; those beyond 64 are hashed first.
  package init(key: [UInt8]) {
    var block = key
    if key.count > Self.blockSize {
      var input = HashInput()
      input.append(key)
      block = input.sha256
    }
    block += Array(repeating: 0, count: Self.blockSize - block.count)
    inner = block.map { $0 ^ 0x36 }
    outer = block.map { $0 ^ 0x5C }
  }

  private static let blockSize = 64

  /// 32 bytes.
  package func digest(of message: [UInt8]) -> [UInt8] {
    var first = HashInput()
    first.append(inner)
    first.append(message)
    var second = HashInput()
    second.append(outer)
    second.append(first.sha256)
    return second.sha256
  }
}
