import CSQLite
import SeededRandom
import Testing

@testable import SQLiteAccess

/// Gathering only changes the number of writes.
@Suite final class WriteGatheringFileTests {
  static let page = 4096

  private let recorded = RecordedFile([])
  private let handle: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods

  init() throws {
    handle = Self.newHandle()
    Self.open(recorded, as: handle)
    methods = try #require(handle.pointee.pMethods?.pointee)
  }

  deinit {
    handle.deallocate()
  }

  private static func newHandle() -> UnsafeMutablePointer<sqlite3_file> {
    UnsafeMutableRawPointer.allocate(byteCount: WriteGatheringFile.handleSize, alignment: 16)
      .assumingMemoryBound(to: sqlite3_file.self)
  }

  @discardableResult
  private static func open(
    _ recorded: RecordedFile, as handle: UnsafeMutablePointer<sqlite3_file>,
    kind: WriteGatheringFile.Kind = .log, isNew: Bool = true
  ) -> WriteGatheringFile {
    let file = WriteGatheringFile(
      handleSize: RecordedFile.handleSize, kind: kind, isNew: isNew)
    recorded.attach(to: file.original)
    file.attach(to: handle)
    return file
  }

  private func write(_ bytes: [UInt8], at offset: Int) -> CInt? {
    bytes.withUnsafeBytes {
      methods.xWrite?(handle, $0.baseAddress, CInt($0.count), Int64(offset))
    }
  }

  private func read(_ count: Int, at offset: Int) -> (code: CInt?, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    let code = bytes.withUnsafeMutableBytes {
      methods.xRead?(handle, $0.baseAddress, CInt($0.count), Int64(offset))
    }
    return (code, bytes)
  }

  private func page(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.page)
  }

  /// Writes like a `-wal`: a header of 24 bytes before each page.
  @Test func framesReachTheFileInLargePieces() {
    let frames = 100
    for number in 0..<frames {
      let offset = number * (Self.page + 24)
      #expect(write([UInt8](repeating: 7, count: 24), at: offset) == SQLITE_OK)
      #expect(write(page(number), at: offset + 24) == SQLITE_OK)
    }
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.bytes.count == frames * (Self.page + 24))
    #expect(recorded.writes.count < 8)
    for number in 0..<frames {
      let start = number * (Self.page + 24) + 24
      #expect(Array(recorded.bytes[start..<start + Self.page]) == page(number))
    }
  }

  @Test func everythingIsInTheFileBeforeItIsSynced() {
    _ = write(page(1), at: 0)
    #expect(recorded.bytes.isEmpty)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.bytes == page(1))
    #expect(recorded.syncs == 1)
  }

  /// Each store that is opened, written and closed requires one sync less.
  @Test func theHeadOfANewLogIsSyncedWithItsPages() {
    let head = [UInt8](repeating: 7, count: 32)
    #expect(write(head, at: 0) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.syncs == 0)
    #expect(write(page(1), at: 32) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.syncs == 1)
    #expect(recorded.bytes == head + page(1))
    // After a restart of the log, its header is on the disk before any page.
    #expect(write(head, at: 0) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.syncs == 2)
  }

  /// After a power cut, older pages could follow the header.
  @Test(arguments: [true, false])
  func theHeadOfALogThatWasCutIsSyncedBeforeItsPages(isCutByUs: Bool) {
    let head = [UInt8](repeating: 7, count: 32)
    let recorded = RecordedFile([])
    let handle = Self.newHandle()
    defer { handle.deallocate() }
    let file = Self.open(recorded, as: handle, isNew: isCutByUs)
    defer { _ = handle.pointee.pMethods?.pointee.xClose?(handle) }
    func write(_ bytes: [UInt8]) -> CInt? {
      bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map { file.write($0, bytes.count, at: 0) }
      }
    }
    if isCutByUs {
      #expect(write(head + page(1)) == SQLITE_OK)
      #expect(file.sync(0) == SQLITE_OK)
      #expect(file.truncate(0) == SQLITE_OK)
    }
    let before = recorded.syncs
    #expect(write(head) == SQLITE_OK)
    #expect(file.sync(0) == SQLITE_OK)
    #expect(recorded.syncs == before + 1)
    #expect(recorded.bytes == head)
  }

  @Test func theSizeCountsWhatWaits() {
    _ = write(page(1), at: Self.page)
    var size: Int64 = 0
    #expect(methods.xFileSize?(handle, &size) == SQLITE_OK)
    #expect(size == Int64(2 * Self.page))
    #expect(recorded.writes.isEmpty)
  }

  /// Pages that fill a piece to its last byte, and pages that are larger than a piece with their headers.
  @Test(arguments: [512, 4096, 65_536]) func pagesOfEverySize(size: Int) {
    var expected: [UInt8] = []
    for number in 0..<64 {
      for bytes in [
        [UInt8](repeating: 0xAA, count: number < 40 ? 0 : 24),
        [UInt8](repeating: UInt8(number), count: size),
      ]
      where !bytes.isEmpty {
        #expect(write(bytes, at: expected.count) == SQLITE_OK)
        expected += bytes
      }
    }
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.bytes == expected)
  }

  /// The data isn't written. A later read must not return the data of another statement.
  @Test func aJournalThatNobodyAskedForCantBeRead() {
    let handle = Self.newHandle()
    defer { handle.deallocate() }
    // The file contains the journal of an earlier statement.
    let recorded = RecordedFile([UInt8](repeating: 9, count: 101 * Self.page))
    let file = Self.open(recorded, as: handle, kind: .statementJournal)
    defer { _ = handle.pointee.pMethods?.pointee.xClose?(handle) }
    func write(_ number: Int, at place: Int) -> CInt {
      page(number).withUnsafeBytes { bytes in
        bytes.baseAddress.map { file.write($0, Self.page, at: Int64(place * Self.page)) } ?? -1
      }
    }
    func read(_ place: Int) -> (code: CInt, bytes: [UInt8]) {
      var bytes = page(0xEE)
      let code = bytes.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { file.read($0, Self.page, at: Int64(place * Self.page)) } ?? -1
      }
      return (code, bytes)
    }
    #expect(write(1, at: 100) == SQLITE_OK)
    StatementJournal.$isKept.withValue(false) {
      for place in 0..<100 { #expect(write(2, at: place) == SQLITE_OK) }
    }
    for place in 0...100 { #expect(read(place).code == SQLITE_IOERR) }
    #expect(recorded.writes.isEmpty)
    for place in 0..<50 { #expect(write(3, at: place) == SQLITE_OK) }
    for place in 0..<50 { #expect(read(place) == (SQLITE_OK, page(3))) }
    for place in 50...100 { #expect(read(place).code == SQLITE_IOERR) }
  }

  @Test func aFullDiskIsToldWithTheNextCall() {
    _ = write(page(1), at: 0)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    recorded.limit = Self.page
    #expect(write(page(2), at: Self.page) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_FULL)
    // Existing pages can be read, missing ones can't, and a rollback is possible.
    #expect(read(Self.page, at: 0).bytes == page(1))
    #expect(read(Self.page, at: Self.page).code == SQLITE_IOERR)
    #expect(write(page(3), at: 0) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.bytes == page(3))
    recorded.limit = .max
    #expect(write(page(4), at: Self.page) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(read(Self.page, at: Self.page).bytes == page(4))
  }

  @Test func closingWritesWhatWaits() {
    _ = write(page(1), at: 0)
    #expect(methods.xClose?(handle) == SQLITE_OK)
    #expect(recorded.bytes == page(1))
    #expect(recorded.closings == 1)
  }

  @Test func aTemporaryFileIsNotWrittenToBeDeleted() {
    let recorded = RecordedFile([])
    let handle = Self.newHandle()
    defer { handle.deallocate() }
    Self.open(recorded, as: handle, kind: .statementJournal)
    _ = page(1).withUnsafeBytes {
      handle.pointee.pMethods?.pointee.xWrite?(handle, $0.baseAddress, 4096, 0)
    }
    #expect(handle.pointee.pMethods?.pointee.xClose?(handle) == SQLITE_OK)
    #expect(recorded.writes.isEmpty)
  }

  /// After any reads and writes, the file is equal to a file without a buffer. `WRITE_GATHERING_SEEDS=17` repeats one
  /// seed.
  @Test(arguments: Seeds.named("WRITE_GATHERING_SEEDS", otherwise: 1...4))
  func anyOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // The file is never empty, because the header of a new file isn't synced.
    var expected = page(0)
    #expect(write(expected, at: 0) == SQLITE_OK)
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    var end = 0
    for step in 0..<4_000 {
      let count = [4, 24, 512, Self.page].randomElement(using: &generator) ?? 4
      let offset =
        Int.random(in: 0..<4, using: &generator) > 0
        ? end : Int.random(in: 0...expected.count, using: &generator)
      switch Int.random(in: 0..<40, using: &generator) {
      case 0:
        #expect(methods.xSync?(handle, 0) == SQLITE_OK)
        #expect(recorded.bytes == expected, "seed \(seed), step \(step)")
      case 1:
        let size = Int.random(in: 1...expected.count, using: &generator)
        #expect(methods.xTruncate?(handle, Int64(size)) == SQLITE_OK)
        expected.removeLast(expected.count - size)
      case 2...9 where expected.count > count:
        let start = Int.random(in: 0...expected.count - count, using: &generator)
        let found = read(count, at: start)
        #expect(found.code == SQLITE_OK, "seed \(seed), step \(step)")
        #expect(
          found.bytes == Array(expected[start..<start + count]), "seed \(seed), step \(step)")
      default:
        let start = min(offset, expected.count)
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: count)
        #expect(write(bytes, at: start) == SQLITE_OK)
        end = start + count
        if expected.count < end {
          expected += [UInt8](repeating: 0, count: end - expected.count)
        }
        expected.replaceSubrange(start..<end, with: bytes)
      }
    }
    #expect(methods.xSync?(handle, 0) == SQLITE_OK)
    #expect(recorded.bytes == expected, "seed \(seed)")
  }
}
