import CZLib
package import StoreDiagnostics

/// The compiled model in `Z_MODELCACHE` of a store: a raw DEFLATE stream, without the header and checksum of zlib or
/// gzip (docs/formats/compiled-models.md).
package enum ModelCache {
  /// The maximum number of decompressed bytes, because DEFLATE can expand a megabyte to a gigabyte. The largest known
  /// model has 65 KB.
  package static let sizeLimit = 8 << 20

  /// zlib's `windowBits` for a window of 32 KB. A negative number means a stream without header and checksum.
  private static let windowBits: Int32 = -15

  /// Returns the archive in the stream. Bytes after the stream are ignored.
  package static func decompressed(
    _ bytes: [UInt8], limit: Int = sizeLimit
  ) throws(ModelCacheError) -> [UInt8] {
    // zlib counts bytes with 32 bits, and a stream usually isn't longer than its content.
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: limit) }
    var stream = z_stream()
    let version = zlibVersion()
    guard
      inflateInit2_(&stream, windowBits, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .outOfMemory }
    defer { inflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8]())
    let result = input.withUnsafeMutableBufferPointer {
      input -> Result<Void, ModelCacheError> in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return Result { () throws(ModelCacheError) in
        try inflateAll(&stream, into: &output, limit: limit)
      }
    }
    try result.get()
    return output
  }

  private static func inflateAll(
    _ stream: inout z_stream, into output: inout [UInt8], limit: Int
  ) throws(ModelCacheError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (status, made) = chunk.withUnsafeMutableBufferPointer { chunk in
        stream.next_out = chunk.baseAddress
        stream.avail_out = UInt32(chunk.count)
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, chunk.count - Int(stream.avail_out))
      }
      guard output.count + made <= limit else { throw .tooLarge(limit: limit) }
      output += chunk[..<made]
      switch status {
      case Z_STREAM_END: return
      case Z_OK: continue
      // The stream requires more bytes.
      case Z_BUF_ERROR: throw .cut
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .damaged
      }
    }
  }

  /// Returns the stream of an archive. With the same zlib, equal archives have equal streams.
  package static func compressed(_ bytes: [UInt8]) throws(ModelCacheError) -> [UInt8] {
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
        zlibVersion(), size) == Z_OK
    else { throw .outOfMemory }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let made: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return output.count - Int(stream.avail_out)
      }
    }
    // The output has enough space for one call, so only memory can be missing.
    guard let made else { throw .outOfMemory }
    return Array(output[..<made])
  }
}

/// The reason why the stream of a model cache can't be read or created.
package enum ModelCacheError: Error, Hashable, Sendable {
  /// The stream ends too early.
  case cut
  /// The bytes aren't a DEFLATE stream.
  case damaged
  /// The archive has more bytes than the limit.
  case tooLarge(limit: Int)
  case outOfMemory

  /// The reason as a clause for a message about the model.
  package var reason: String {
    switch self {
    case .cut: "its compressed stream ends too early"
    case .damaged: "its compressed stream is damaged"
    case .tooLarge(let limit): "it decompresses to more than \(limit >> 20) MB"
    case .outOfMemory: "there is too little memory"
    }
  }
}

extension ModelCacheError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "model.cache", "the model in a store can't be read or created: \(reason)",
        cause: self == .outOfMemory ? .inputOutput : .invalid)
    ]
  }
}
