import Testing

@testable import StoreLayout

struct ModelCacheTests {
  private static let archive = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

  @Test func unfoldsWhatItHasFolded() throws {
    for bytes in [[], [1], Self.archive] {
      let folded = try ModelCache.compressed(bytes)
      #expect(try ModelCache.decompressed(folded) == bytes)
      #expect(try ModelCache.compressed(bytes) == folded)
    }
  }

  /// An uncompressed block with the text `abc`, written by hand.
  @Test func readsARawStream() throws {
    let stream: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]
    #expect(try ModelCache.decompressed(stream) == Array("abc".utf8))
    #expect(try ModelCache.decompressed(stream + [9, 9]) == Array("abc".utf8))
  }

  @Test func refusesCutAndDamagedStreams() throws {
    let folded = try ModelCache.compressed(Self.archive)
    for end in [0, 1, 100, folded.count / 2, folded.count - 1] {
      #expect(throws: ModelCacheError.cut) { try ModelCache.decompressed(Array(folded[..<end])) }
    }
    #expect(throws: ModelCacheError.damaged) {
      try ModelCache.decompressed([UInt8](repeating: 0xFF, count: 100))
    }
    #expect(ModelCacheError.cut.reason == "its compressed stream ends too early")
  }

  /// 8 MB of zeros are compressed to 8 KB.
  @Test func refusesABomb() throws {
    let bomb = try ModelCache.compressed([UInt8](repeating: 0, count: ModelCache.sizeLimit))
    #expect(bomb.count < 10_000)
    #expect(try ModelCache.decompressed(bomb).count == ModelCache.sizeLimit)
    let limit = ModelCache.sizeLimit - 1
    #expect(throws: ModelCacheError.tooLarge(limit: limit)) {
      try ModelCache.decompressed(bomb, limit: limit)
    }
    #expect(ModelCacheError.tooLarge(limit: 8 << 20).reason == "it decompresses to more than 8 MB")
  }
}
