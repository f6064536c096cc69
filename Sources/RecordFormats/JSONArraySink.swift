import Synchronization

/// Makes one JSON array of NDJSON: a line feed, which the JSON of a line never holds, becomes the
/// comma before the next element.
package final class JSONArraySink: ByteSink {
  private enum Place {
    case beforeFirst, inElement, afterElement
  }

  private let target: any ByteSink
  private let place = Mutex(Place.beforeFirst)

  package init(_ target: any ByteSink) {
    self.target = target
  }

  package func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var out = ByteBuffer(capacity: bytes.count + bytes.count / 16)
    place.withLock { place in
      var rest = bytes[...]
      while !rest.isEmpty {
        switch place {
        case .beforeFirst: out.append("[\n")
        case .inElement: break
        case .afterElement: out.append(",\n")
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        out.append(UnsafeBufferPointer(rebasing: line))
        place = line.count < rest.count ? .afterElement : .inElement
        rest = rest.dropFirst(line.count + 1)
      }
    }
    try target.write(out.bytes)
  }

  /// Closes the array.
  package func finish() throws {
    var out = ByteBuffer(capacity: 8)
    out.append(place.withLock { $0 } == .beforeFirst ? "[]\n" : "\n]\n")
    try target.write(out.bytes)
  }
}
