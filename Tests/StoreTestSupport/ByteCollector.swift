import RecordFormats

/// Collects what is written; `limit` bytes on, the reader has gone.
package final class ByteCollector: ByteSink, @unchecked Sendable {
  // Written by one thread, read after it has ended.
  package private(set) var bytes: [UInt8] = []
  private let limit: Int

  package init(limit: Int = .max) { self.limit = limit }

  package func write(_ more: UnsafeBufferPointer<UInt8>) throws {
    guard bytes.count + more.count <= limit else { throw OutputClosed() }
    bytes += more
  }
}
