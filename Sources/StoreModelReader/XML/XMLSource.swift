package import StoreDiagnostics

/// The bytes of an XML file, and the way from a byte to its line and column.
package struct XMLSource: Sendable {
  /// The path as it will stand in diagnostics.
  package let file: String
  /// UTF-8, without a byte order mark.
  package let bytes: [UInt8]
  /// The offset at which each line begins.
  private let lineStarts: [Int]

  package init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    lineStarts = Self.lineStarts(in: self.bytes)
  }

  private static func lineStarts(in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBufferPointer { buffer in
      var starts = [0]
      for index in buffer.indices where buffer[index] == UInt8(ascii: "\n") {
        starts.append(index + 1)
      }
      return starts
    }
  }

  /// The line and column of a byte; an offset beyond the end is the end.
  package func place(of offset: Int) -> SourcePlace {
    let end = min(max(offset, 0), bytes.count)
    let line = lineNumber(at: end)
    let scalars = bytes[lineStarts[line - 1]..<end].count { $0 & 0xC0 != 0x80 }
    return SourcePlace(file: file, line: line, column: scalars + 1)
  }

  /// The line of XML that holds `range`, with carets under the range.
  package func excerpt(at range: Range<Int>) -> Diagnostic.Excerpt {
    let start = min(max(range.lowerBound, 0), bytes.count)
    let line = lineNumber(at: start)
    var lineStart = lineStarts[line - 1]
    var lineEnd = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
    while lineStart < start, Self.isBlank(bytes[lineStart]) { lineStart += 1 }
    while lineEnd > start, Self.isBlank(bytes[lineEnd - 1]) { lineEnd -= 1 }
    // A file without line breaks must not fill the terminal.
    lineStart = max(lineStart, scalarStart(atOrAfter: start - Self.widestBefore))
    let marked = min(max(range.upperBound, start), lineEnd)
    lineEnd = min(lineEnd, scalarStart(atOrAfter: max(start + Self.widestAfter, marked)))
    let text = String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self)
    return .init(text: text, range: start - lineStart..<marked - lineStart)
  }

  private static let widestBefore = 240
  private static let widestAfter = 160

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private func scalarStart(atOrAfter offset: Int) -> Int {
    var index = min(max(offset, 0), bytes.count)
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }

  /// The number, from 1, of the line that holds `offset`: the last one that begins at or before it.
  private func lineNumber(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }
}
