import CSQLite
import SeededRandom
import Testing

@testable import SQLiteAccess

/// Reading ahead only changes the number of reads.
@Suite struct ReadAheadFileTests {
  static let page = 4096

  private let recorded: RecordedFile
  private let file: ReadAheadFile

  init() {
    recorded = RecordedFile([])
    file = ReadAheadFile(handleSize: RecordedFile.handleSize)
  }

  private func open(_ bytes: [UInt8]) {
    recorded.bytes = bytes
    recorded.attach(to: file.original)
    file.didOpen()
  }

  private func read(_ count: Int, at offset: Int) -> (code: CInt, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    let code = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { file.read($0, CInt(count), at: Int64(offset)) } ?? SQLITE_MISUSE
    }
    return (code, bytes)
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 7)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  @Test func aScanReadsLargePieces() {
    let pages = 256
    open(Self.noise(pages * Self.page))
    for number in 0..<pages {
      let offset = number * Self.page
      let (code, bytes) = read(Self.page, at: offset)
      #expect(code == SQLITE_OK)
      #expect(bytes == Array(recorded.bytes[offset..<offset + Self.page]))
    }
    #expect(recorded.reads.count < 16)
    #expect(recorded.reads.allSatisfy { $0.count <= Int(ReadAheadFile.largestPiece) })
    // The first page is read alone, and again with the first piece.
    #expect(recorded.reads.map(\.count).reduce(0, +) == recorded.bytes.count + Self.page)
  }

  @Test func aScanSurvivesFarPages() {
    let pages = 1024
    open([UInt8](repeating: 1, count: pages * Self.page))
    for number in 0..<512 {
      _ = read(Self.page, at: number * Self.page)
      if number % 50 == 49 { _ = read(Self.page, at: (pages - number) * Self.page) }
    }
    #expect(recorded.reads.count < 32)
  }

  @Test func jumpsReadNothingMore() {
    let pages = 1024
    open([UInt8](repeating: 1, count: pages * Self.page))
    // Each page is 37 pages after the previous one, which doesn't occur in a scan.
    for step in 0..<200 {
      _ = read(Self.page, at: (pages - 1 - step * 37 % pages) * Self.page)
    }
    #expect(recorded.reads.count == 200)
    #expect(recorded.reads.allSatisfy { $0.count == Self.page })
  }

  @Test func eachPageOfASmallFileIsReadOnce() {
    let pages = 250
    open(Self.noise(pages * Self.page))
    _ = read(Self.page, at: 0)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let offset = Int.random(in: 0..<pages, using: &generator) * Self.page
      let bytes = read(Self.page, at: offset).bytes
      #expect(bytes == Array(recorded.bytes[offset..<offset + Self.page]))
    }
    let large = recorded.reads.filter { $0.count > Self.page }
    #expect(large.count == 4)
    #expect(large.map(\.count).reduce(0, +) == recorded.bytes.count)
  }

  @Test func theEndIsFilledWithZeros() {
    let size = 20 * Self.page + 100
    open(Self.noise(size))
    for number in 0..<24 {
      let offset = number * Self.page
      let (code, bytes) = read(Self.page, at: offset)
      let there = Array(recorded.bytes[min(offset, size)..<min(offset + Self.page, size)])
      #expect(code == (there.count == Self.page ? SQLITE_OK : RecordedFile.shortRead))
      #expect(bytes == there + [UInt8](repeating: 0, count: Self.page - there.count))
    }
  }

  @Test func onlyABrokenPageFails() {
    open(Self.noise(64 * Self.page))
    recorded.damage = 40 * Self.page..<41 * Self.page
    for number in 0..<64 {
      let offset = number * Self.page
      let (code, bytes) = read(Self.page, at: offset)
      #expect(code == (number == 40 ? SQLITE_IOERR : SQLITE_OK), "page \(number)")
      if number != 40 { #expect(bytes == Array(recorded.bytes[offset..<offset + Self.page])) }
    }
    #expect(recorded.reads.count { $0.count > Self.page } == 1)
  }

  /// Reads forwards and backwards, jumps, and reads of any length, also beyond the end of the file.
  @Test(arguments: 0..<10) func anyOrder(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = Int.random(in: 1...(120 * Self.page), using: &generator)
    open(Self.noise(size))
    for _ in 0..<30 {
      var offset = Int.random(in: 0..<size, using: &generator)
      let count = [16, 100, 512, Self.page, 8192].randomElement(using: &generator) ?? 1
      let step = [-1, 0, 1, 1, 1, 2].randomElement(using: &generator) ?? 1
      for _ in 0..<Int.random(in: 1...40, using: &generator) where offset >= 0 {
        let (code, bytes) = read(count, at: offset)
        let there = Array(recorded.bytes[min(offset, size)..<min(offset + count, size)])
        #expect(code == (there.count == count ? SQLITE_OK : RecordedFile.shortRead), "seed \(seed)")
        #expect(
          bytes == there + [UInt8](repeating: 0, count: count - there.count), "seed \(seed)")
        offset += step * count
      }
    }
  }

  private func held(at offset: Int) -> UnsafeMutableRawPointer? {
    file.hold(CInt(Self.page), at: Int64(offset))
  }

  private static func bytes(_ page: UnsafeMutableRawPointer) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: page, count: Self.page))
  }

  @Test func aScanInPlaceReadsLargePieces() throws {
    let pages = 256
    open(Self.noise(pages * Self.page))
    _ = read(Self.page, at: 0)
    for number in 1..<pages {
      let offset = number * Self.page
      let page = try #require(held(at: offset))
      #expect(Self.bytes(page) == Array(recorded.bytes[offset..<offset + Self.page]))
      file.release(page)
    }
    #expect(recorded.reads.count < 16)
    // The first page is read alone, and again with the first piece.
    #expect(recorded.reads.map(\.count).reduce(0, +) == recorded.bytes.count + Self.page)
  }

  @Test func heldPagesStayUntilTheyAreReleased() throws {
    let pages = 2048
    open(Self.noise(pages * Self.page))
    _ = read(Self.page, at: 0)
    var all: [(offset: Int, page: UnsafeMutableRawPointer)] = []
    // One page of each piece is kept, as inner pages of a tree are kept while its leaves are read.
    for number in 1..<pages {
      let offset = number * Self.page
      guard let page = held(at: offset) else {
        #expect(read(Self.page, at: offset).code == SQLITE_OK)
        continue
      }
      if number % 64 == 1 {
        all.append((offset, page))
      } else {
        file.release(page)
      }
    }
    #expect(all.count >= ReadAheadFile.largestWindowCount)
    for (offset, page) in all {
      #expect(Self.bytes(page) == Array(recorded.bytes[offset..<offset + Self.page]))
    }
    // If all windows are held, SQLite reads by itself, until one is released.
    let last = pages * Self.page / 2
    _ = read(Self.page, at: last)
    #expect(held(at: last + Self.page) == nil)
    for (_, page) in all { file.release(page) }
    #expect(held(at: last + Self.page) != nil)
  }

  @Test func aPageThatGoesOnFromNothingIsNotHeld() {
    open(Self.noise(64 * Self.page))
    #expect(held(at: 30 * Self.page) == nil)
    #expect(recorded.reads.isEmpty)
  }

  @Test func closingEndsIt() throws {
    let recorded = RecordedFile([1, 2, 3])
    let handle = UnsafeMutableRawPointer.allocate(
      byteCount: ReadAheadFile.handleSize, alignment: 16
    ).assumingMemoryBound(to: sqlite3_file.self)
    defer { handle.deallocate() }
    weak var file: ReadAheadFile?
    do {
      let opened = ReadAheadFile(handleSize: RecordedFile.handleSize)
      recorded.attach(to: opened.original)
      opened.didOpen()
      opened.attach(to: handle)
      file = opened
    }
    #expect(file != nil)
    let close = try #require(handle.pointee.pMethods?.pointee.xClose)
    #expect(close(handle) == SQLITE_OK)
    #expect(recorded.closings == 1)
    #expect(file == nil)
  }
}
