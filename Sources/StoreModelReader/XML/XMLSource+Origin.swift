package import StoreDiagnostics

extension XMLSource {
  /// Where each byte of an attribute's value lies in the file.
  package func origin(of spot: XMLSpot) -> SourceOrigin {
    let range = range(of: spot)
    let start = place(of: range.lowerBound)
    var runs = [SourceOrigin.Run(offset: 0, line: start.line, column: start.column)]
    var index = range.lowerBound
    var decoded = 0
    while index < range.upperBound {
      let unit = decodedUnit(at: index, before: range.upperBound)
      index += unit.rawLength
      decoded += unit.decodedLength
      guard unit.breaksRun else { continue }
      let next = place(of: index)
      runs.append(.init(offset: decoded, line: next.line, column: next.column))
    }
    return SourceOrigin(file: file, runs: runs)
  }

  private struct DecodedUnit {
    var rawLength: Int
    var decodedLength: Int
    /// Text and file do not advance alike across it.
    var breaksRun: Bool
  }

  /// A byte, an entity, or a line break (which XML reads as one space).
  private func decodedUnit(at index: Int, before end: Int) -> DecodedUnit {
    switch bytes[index] {
    case UInt8(ascii: "&"):
      let semicolon = bytes[index..<end].firstIndex(of: UInt8(ascii: ";")) ?? end - 1
      let length = decodedLength(ofEntity: bytes[index + 1..<max(index + 1, semicolon)])
      return DecodedUnit(
        rawLength: semicolon + 1 - index, decodedLength: length, breaksRun: true)
    case UInt8(ascii: "\r") where index + 1 < end && bytes[index + 1] == UInt8(ascii: "\n"):
      return DecodedUnit(rawLength: 2, decodedLength: 1, breaksRun: true)
    case UInt8(ascii: "\n"):
      return DecodedUnit(rawLength: 1, decodedLength: 1, breaksRun: true)
    default:
      return DecodedUnit(rawLength: 1, decodedLength: 1, breaksRun: false)
    }
  }

  /// How many UTF-8 bytes `#233`, `#xE9` or `quot` stand for.
  private func decodedLength(ofEntity name: ArraySlice<UInt8>) -> Int {
    guard name.first == UInt8(ascii: "#") else { return 1 }
    let digits = String(decoding: name.dropFirst(), as: UTF8.self)
    let value =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    guard let value, let scalar = Unicode.Scalar(value) else { return 1 }
    return UTF8.width(scalar)
  }
}
