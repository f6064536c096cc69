import SQLiteAccess
package import StoreDiagnostics

/// A window of input text that is read in pieces, with the line and column of each byte.
///
/// The scanners move `index`. Reading more can discard the bytes before `mark`, so the mark remains at the beginning of
/// a token until the token has been used. The longest token determines the size in memory.
package struct InputText: ~Copyable {
  /// The index of the next byte.
  package var index = 0
  /// The end of the available bytes.
  package private(set) var limit = 0
  /// The index of the first byte that is still needed.
  package var mark = 0
  package private(set) var line = 1

  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var source: any ByteSource
  private var isAtEnd = false
  /// The number of discarded bytes.
  private var dropped = 0
  /// The position of the current record. `start` counts the bytes from the beginning of the input.
  private var record: (start: Int, place: TextPosition)?
  /// The index of a byte in the current line, and its column, from which other columns are counted.
  private var anchor = (index: 0, column: 1)

  init(_ source: any ByteSource, capacity: Int = 1 << 16) {
    self.source = source
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  package var name: String { source.name }

  /// The number of bytes that are kept before the mark, for excerpts in errors.
  private static let context = 64

  /// Reads more bytes after `limit`. Returns false at the end of the input. All indices may change.
  @inline(never)
  mutating func fill() throws -> Bool {
    guard !isAtEnd else { return false }
    dropConsumed()
    // Outside of records, the limit applies to the current token.
    try checkLength(from: record?.start ?? dropped + mark, to: dropped + limit)
    if limit == capacity {
      capacity *= 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: base, count: limit)
      base.deallocate()
      base = larger
    }
    let count = try source.read(
      into: UnsafeMutableRawBufferPointer(start: base + limit, count: capacity - limit))
    limit += count
    isAtEnd = count == 0
    return count > 0
  }

  private mutating func dropConsumed() {
    let dropped = mark - Self.context
    guard dropped > 0 else { return }
    if anchor.index < dropped { moveAnchor(to: dropped) }
    base.update(from: base + dropped, count: limit - dropped)
    index -= dropped
    limit -= dropped
    anchor.index -= dropped
    mark -= dropped
    self.dropped += dropped
  }

  /// Reads bytes until `count` of them are available at `index`. Returns false if the input ends before that.
  @inline(__always)
  mutating func has(_ count: Int) throws -> Bool {
    while limit - index < count { guard try fill() else { return false } }
    return true
  }

  /// Skips U+FEFF, which some editors write at the beginning of UTF-8 files.
  mutating func skipByteOrderMark() throws {
    guard try has(3), base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF else { return }
    index = 3
    mark = 3
    anchor = (3, 1)
  }

  /// Counts a line that ends with the line feed at `newline`.
  @inline(__always)
  mutating func countLine(endingAt newline: Int) {
    line += 1
    anchor = (newline + 1, 1)
  }

  /// Skips one scalar.
  ///
  /// - Throws: `InputError` of the kind `invalidUTF8` if the scalar is invalid, or an error of the source.
  mutating func skipScalar() throws {
    _ = try has(4)
    let rest = UnsafeBufferPointer(start: base + index, count: limit - index)
    let length = UTF8Scalar.length(in: rest, at: 0)
    guard length > 0 else { throw error(.invalidUTF8(rest[0]), at: index..<index + 1) }
    index += length
  }

  // MARK: Records

  /// Begins a record at the mark.
  package mutating func beginRecord() { record = (dropped + mark, position(of: mark)) }

  /// Ends the record before `index`.
  ///
  /// - Throws: `InputError` of the kind `tooLong` if the record exceeds the limit.
  package mutating func endRecord() throws {
    guard let start = record?.start else { return }
    try checkLength(from: start, to: dropped + index)
    record = nil
  }

  /// Ends the record, even if it is incomplete.
  package mutating func leaveRecord() { record = nil }

  var recordLine: Int? { record?.place.line }

  /// Returns the error for a record that the end of the input cuts off, or nil outside of a record. The error's
  /// location is the beginning of the record, where the cause is usually found.
  func unfinishedRecord(_ wanted: String) -> InputError? {
    guard let (start, place) = record else { return nil }
    let first = start - dropped
    return InputError(
      kind: .unfinishedRecord(wanted: wanted),
      place: SourcePlace(file: name, line: place.line, column: place.column),
      excerpt: first >= 0 ? excerpt(first..<first + 1) : nil)
  }

  private mutating func checkLength(from start: Int, to end: Int) throws {
    guard end - start > source.recordLimit else { return }
    let place = record?.place ?? position(of: mark)
    throw InputError(
      kind: .tooLong(limit: source.recordLimit),
      place: SourcePlace(file: name, line: place.line, column: place.column), excerpt: nil)
  }

  // MARK: Places

  /// Returns the line and column of a byte in the current line.
  mutating func position(of place: Int) -> TextPosition {
    if place >= anchor.index { moveAnchor(to: place) }
    let behind = place < anchor.index ? scalars(from: place, to: anchor.index) : 0
    return TextPosition(line: line, column: max(1, anchor.column - behind))
  }

  private mutating func moveAnchor(to place: Int) {
    anchor = (place, anchor.column + scalars(from: anchor.index, to: place))
  }

  private func scalars(from start: Int, to end: Int) -> Int {
    var count = 0
    for index in max(start, 0)..<max(end, start, 0) where base[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Returns the line around a range, limited to the available bytes and to a length for display.
  package func excerpt(_ range: Range<Int>) -> DiagnosticMessage.Excerpt {
    let newline = UInt8(ascii: "\n")
    var start = range.lowerBound
    while start > 0, range.lowerBound - start < 60, base[start - 1] != newline { start -= 1 }
    while start < range.lowerBound, base[start] & 0xC0 == 0x80 { start += 1 }
    let last = min(max(range.upperBound, range.lowerBound), limit)
    var markEnd = range.lowerBound
    while markEnd < min(last, range.lowerBound + 60), base[markEnd] != newline { markEnd += 1 }
    while markEnd < limit, base[markEnd] & 0xC0 == 0x80 { markEnd += 1 }
    var end = markEnd
    while end < limit, end - markEnd < 30, base[end] != newline { end += 1 }
    while end > markEnd, end < limit, base[end] & 0xC0 == 0x80 { end -= 1 }
    let before = shown(start..<range.lowerBound)
    let marked = shown(range.lowerBound..<markEnd)
    let length = before.utf8.count
    return DiagnosticMessage.Excerpt(
      text: before + marked + shown(markEnd..<end), range: length..<length + marked.utf8.count)
  }

  /// Returns bytes as one line of text. Control characters become spaces.
  private func shown(_ range: Range<Int>) -> String {
    String(
      String.UnicodeScalarView(
        text(range).unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Returns the bytes at indices relative to `mark`.
  @inline(__always)
  func bytes(afterMark range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + mark + range.lowerBound, count: range.count)
  }

  func text(_ range: Range<Int>) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count),
      as: UTF8.self)
  }
}
