package import StoreDiagnostics

/// The bytes of an XML file, with functions that convert an offset to a line and a column.
package struct XMLSource: Sendable {
  /// The path of the file in diagnostics.
  package let file: String
  /// The content in UTF-8, without a byte order mark.
  package let bytes: [UInt8]
  /// The offset of the first byte of each line.
  private let lineStarts: [Int]
  /// The number of Unicode scalars before each block of `blockSize` bytes. With these numbers, the column of an offset
  /// in a long line is computed without counting from the start of the line.
  private let scalarCounts: [Int]
  private static let blockSize = 1 << 12

  package init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    lineStarts = Self.lineStarts(in: self.bytes)
    scalarCounts = Self.scalarCounts(in: self.bytes)
  }

  private static func scalarCounts(in bytes: [UInt8]) -> [Int] {
    var counts = [0]
    for start in Swift.stride(from: 0, to: bytes.count, by: blockSize) {
      let end = min(start + blockSize, bytes.count)
      counts.append(counts[counts.count - 1] + scalars(in: bytes[start..<end]))
    }
    return counts
  }

  /// Counts scalars: each byte that isn't a continuation byte begins one.
  private static func scalars(in bytes: ArraySlice<UInt8>) -> Int {
    bytes.count { $0 & 0xC0 != 0x80 }
  }

  private func scalarCount(before offset: Int) -> Int {
    let number = offset / Self.blockSize
    return scalarCounts[number] + Self.scalars(in: bytes[number * Self.blockSize..<offset])
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

  /// Returns the line and column of an offset. An offset after the end is treated as the end.
  package func place(of offset: Int) -> SourcePlace {
    let end = min(max(offset, 0), bytes.count)
    let line = lineNumber(at: end)
    let scalars = scalarCount(before: end) - scalarCount(before: lineStarts[line - 1])
    return SourcePlace(file: file, line: line, column: scalars + 1)
  }

  /// Returns an excerpt of the line in which `range` begins. The part of `range` in this line is marked.
  package func excerpt(at range: Range<Int>) -> DiagnosticMessage.Excerpt {
    let start = min(max(range.lowerBound, 0), bytes.count)
    let line = lineNumber(at: start)
    var lineStart = lineStarts[line - 1]
    var lineEnd = line < lineStarts.count ? lineStarts[line] - 1 : bytes.count
    // The length of the excerpt is limited, because the whole file might be one line.
    lineStart = max(lineStart, scalarStart(atOrAfter: start - Self.widestBefore))
    lineEnd = min(lineEnd, scalarStart(atOrAfter: start + Self.widestAfter))
    while lineStart < start, Self.isBlank(bytes[lineStart]) { lineStart += 1 }
    while lineEnd > start, Self.isBlank(bytes[lineEnd - 1]) { lineEnd -= 1 }
    let marked = min(max(range.upperBound, start), lineEnd)
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

  /// Returns the number of the line that contains `offset`, starting at 1.
  private func lineNumber(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The line numbers of each Git merge conflict, including its markers.
  var conflicts: [ClosedRange<Int>] {
    var found: [ClosedRange<Int>] = []
    var start: Int?
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() {
      if line.starts(with: "<<<<<<< ".utf8) { start = index + 1 }
      if line.starts(with: ">>>>>>> ".utf8), let first = start {
        found.append(first...index + 1)
        start = nil
      }
    }
    return found
  }

  /// Returns the offset of the start of a line. Lines are numbered from 1.
  func offset(ofLine number: Int) -> Int {
    number <= lineStarts.count ? lineStarts[number - 1] : bytes.count
  }

  /// Returns a map from the decoded text at `spot`, an attribute's value or an element's text, to locations in the
  /// file.
  package func origin(of spot: XMLSpot) -> SourceOrigin {
    let range = range(of: spot)
    let start = place(of: range.lowerBound)
    var runs = [SourceOrigin.Run(offset: 0, line: start.line, column: start.column)]
    var index = range.lowerBound
    var decoded = 0
    while index < range.upperBound {
      let (rawLength, decodedLength, breaksRun) = decodedUnit(at: index, before: range.upperBound)
      index += rawLength
      decoded += decodedLength
      guard breaksRun else { continue }
      let next = place(of: index)
      runs.append(.init(offset: decoded, line: next.line, column: next.column))
    }
    return SourceOrigin(file: file, runs: runs)
  }

  /// Returns the raw and decoded lengths of the byte, the entity or the line break at `index`. An entity or a line
  /// break breaks a run: the location of the next byte can't be computed by counting decoded bytes.
  private func decodedUnit(
    at index: Int, before end: Int
  ) -> (rawLength: Int, decodedLength: Int, breaksRun: Bool) {
    switch bytes[index] {
    case UInt8(ascii: "&"):
      let semicolon = bytes[index..<end].firstIndex(of: UInt8(ascii: ";")) ?? end - 1
      let length = decodedLength(ofEntity: bytes[index + 1..<max(index + 1, semicolon)])
      return (semicolon + 1 - index, length, true)
    case UInt8(ascii: "\r") where index + 1 < end && bytes[index + 1] == UInt8(ascii: "\n"):
      return (2, 1, true)
    case UInt8(ascii: "\n"): return (1, 1, true)
    default: return (1, 1, false)
    }
  }

  /// Returns the number of UTF-8 bytes of the character that an entity such as `#233`, `#xE9` or `quot` represents.
  private func decodedLength(ofEntity name: ArraySlice<UInt8>) -> Int {
    guard name.first == UInt8(ascii: "#") else { return 1 }
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let value =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let value, let scalar = Unicode.Scalar(value) else { return 1 }
    return UTF8.width(scalar)
  }
}
