import Testing

@testable import storetool

@Suite("The form of data")
struct DataKindTests {
  private func kind(_ bytes: [UInt8]) -> DataKind {
    bytes.withUnsafeBufferPointer { DataKind(of: $0) }
  }

  @Test("By the bytes that it begins with")
  func beginnings() {
    #expect(kind([0x89] + Array("PNG\r\n".utf8)) == .png)
    #expect(kind(Array("RIFF....WEBP".utf8)) == .webp)
    #expect(kind(Array("RIFF....WAVE".utf8)) == .text)
    #expect(kind(Array("bplist00".utf8)) == .plist)
    #expect(kind(Array("[1]".utf8)) == .json)
    #expect(kind([]) == .data)
    #expect(kind([0xFF, 0xFE]) == .data)
    #expect(kind(Array("a\0".utf8)) == .data)
  }

  @Test("A character split at the end of the sample is not an error of the text")
  func longTexts() {
    for start in 0..<4 {
      let text = String(repeating: "a", count: start) + String(repeating: "🌊", count: 1000)
      #expect(kind(Array(text.utf8)) == .text)
      #expect(kind(Array(text.utf8.dropLast(1))) == .text)
    }
    #expect(kind(Array(String(repeating: "a", count: 1022).utf8) + [0xF0, 0x9F]) == .data)
  }
}
