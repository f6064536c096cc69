import StoreDiagnostics

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CMessageDigest
#endif

/// The input of a hash: little-endian integers, and UTF-8 text without a terminator.
struct HashInput {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes += text.utf8 }

  mutating func append(_ hash: [UInt8]) { bytes += hash }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}

#if canImport(CryptoKit)
  extension HashInput {
    var sha256: [UInt8] { Array(SHA256.hash(data: bytes)) }

    var sha512: [UInt8] { Array(SHA512.hash(data: bytes)) }
  }
#else
  extension HashInput {
    var sha256: [UInt8] {
      digest(of: Int(SHA256_DIGEST_LENGTH), SHA256Init, SHA256Update, SHA256Final)
    }

    var sha512: [UInt8] {
      digest(of: Int(SHA512_DIGEST_LENGTH), SHA512Init, SHA512Update, SHA512Final)
    }

    private func digest(
      of length: Int, _ begin: (UnsafeMutablePointer<SHA2_CTX>?) -> Void,
      _ add: (UnsafeMutablePointer<SHA2_CTX>?, UnsafePointer<UInt8>?, Int) -> Void,
      _ end: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<SHA2_CTX>?) -> Void
    ) -> [UInt8] {
      var context = SHA2_CTX()
      begin(&context)
      add(&context, bytes, bytes.count)
      return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        end(buffer.baseAddress, &context)
        count = length
      }
    }
  }
#endif

/// Digests of texts that aren't part of a model.
package enum Digest {
  /// Returns SHA-256 in lower-case hexadecimal digits.
  package static func hexSHA256(of text: String) -> String {
    HashInput(bytes: Array(text.utf8)).sha256.hexadecimal
  }
}

/// Digests with a secret key: HMAC with SHA-256 (RFC 2104).
package struct KeyedDigest: Hashable, Sendable {
  private let inner: [UInt8]
  private let outer: [UInt8]

  /// - Parameter key: any bytes. A key with more than 64 bytes is hashed first.
  package init(key: [UInt8]) {
    var block = key.count > Self.blockSize ? HashInput(bytes: key).sha256 : key
    block += Array(repeating: 0, count: Self.blockSize - block.count)
    inner = block.map { $0 ^ 0x36 }
    outer = block.map { $0 ^ 0x5C }
  }

  private static let blockSize = 64

  /// Returns 32 bytes.
  package func digest(of message: [UInt8]) -> [UInt8] {
    let first = HashInput(bytes: inner + message).sha256
    return HashInput(bytes: outer + first).sha256
  }
}
