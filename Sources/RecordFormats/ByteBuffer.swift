/// Bytes on their way out: grows as needed, is emptied and used again.
///
/// Formatting a million rows appends ten million small pieces. Each reserves its room once and then
/// writes through the pointer; nothing is allocated per piece.
package struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0
  /// Room for one date, kept from date to date.
  var dateBytes: [UInt8] = []

  package init(capacity: Int = 1 << 16) {
    start = .allocate(capacity: max(capacity, 64))
    self.capacity = max(capacity, 64)
  }

  deinit { start.deallocate() }

  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  package var isEmpty: Bool { count == 0 }

  package mutating func removeAll() { count = 0 }

  /// Forgets what was appended after the first `length` bytes.
  package mutating func truncate(to length: Int) { count = min(count, length) }

  /// Makes room for `extra` more bytes.
  @inline(__always)
  package mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(by: extra) }
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }

  /// The place of the next byte, for a writer that has reserved its room and then commits it.
  @inline(__always)
  package var end: UnsafeMutablePointer<UInt8> { start + count }

  @inline(__always)
  package mutating func commit(_ written: Int) { count += written }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    if let source = bytes.baseAddress { end.update(from: source, count: bytes.count) }
    count += bytes.count
  }

  package mutating func append(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }
}

extension ByteBuffer {
  /// The bytes as text, broken UTF-8 repaired; for messages and tests.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
