import StoreDiagnostics
import StoreModelReader

/// A merged text with markers around conflicts.
struct MarkedText {
  private(set) var text = ""
  /// The range of the bytes between the start marker and the end marker of each conflict, by the conflict's number.
  private(set) var regions: [Int: Range<Int>] = [:]

  init(_ merged: MergedText, _ labels: MergeLabels) {
    for part in merged.parts {
      switch part {
      case .certain(let certain): text += certain
      case .conflict(let ours, let theirs, let numbers):
        line(labels.start)
        let start = text.utf8.count
        lines(ours)
        line(labels.middle)
        lines(theirs)
        for number in numbers { regions[number] = start..<text.utf8.count }
        line(labels.end)
      }
    }
  }

  private mutating func line(_ line: String) { text += line + "\n" }

  /// Appends lines, and a line break if the last line doesn't have one.
  private mutating func lines(_ lines: String) {
    text += lines
    if !lines.isEmpty, !lines.hasSuffix("\n") { text += "\n" }
  }

  /// Returns the diagnostics of conflicts with their locations, in the order of the text.
  func diagnostics(
    of conflicts: [MergeConflict], _ labels: MergeLabels, file: String
  ) -> [DiagnosticMessage] {
    let source = XMLSource(file: file, bytes: Array(text.utf8))
    let found = conflicts.enumerated().map { number, conflict in
      let range = range(of: conflict.mark, in: regions[number] ?? 0..<0, source.bytes)
      var diagnostic = conflict.diagnostic(labels)
      diagnostic.place = source.place(of: range.lowerBound)
      diagnostic.excerpt = source.excerpt(at: range)
      return (range.lowerBound, diagnostic)
    }
    return found.stablySorted { $0.0 < $1.0 }.map(\.1)
  }

  private func range(
    of mark: String, in region: Range<Int>, _ bytes: [UInt8]
  ) -> Range<Int> {
    if let found = bytes[region].firstRange(of: Array(mark.utf8)) { return found }
    let start = bytes[region].firstIndex { $0 != UInt8(ascii: " ") } ?? region.lowerBound
    return start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
  }
}
