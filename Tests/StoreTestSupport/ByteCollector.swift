import RecordFormats

/// Collects written bytes. After `limit` bytes, it fails like a pipe whose reader has closed it.
package final class ByteCollector: ByteSink, @unchecked Sendable {
  // One thread writes the bytes. They are read after it has ended.
  package private(set) var bytes: [UInt8] = []
  private let limit: Int

  package init(limit: Int = .max) { self.limit = limit }

  package func write(_ more: UnsafeBufferPointer<UInt8>) throws {
    guard bytes.count + more.count <= limit else { throw OutputClosed() }
    bytes += more
  }
}
