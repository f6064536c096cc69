/// Where each byte of a decoded text lies in the file that it was read from.
///
/// A predicate in model XML is written with entities (`&quot;`, `&gt;`), so its text and its place
/// in the file drift apart. An origin keeps a run for every point at which they do.
public struct SourceOrigin: Hashable, Sendable {
  /// From `offset` on, the text and the file advance together, one scalar a column.
  public struct Run: Hashable, Sendable {
    /// UTF-8 offset in the decoded text.
    public var offset: Int
    /// Line in the file, from 1.
    public var line: Int
    /// Column in the file, from 1.
    public var column: Int

    public init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }
  }

  public var file: String
  /// Sorted by `offset`; the first one has offset 0.
  public var runs: [Run]

  /// - Precondition: `runs` is not empty.
  public init(file: String, runs: [Run]) {
    precondition(!runs.isEmpty, "an origin knows at least where its text begins")
    self.file = file
    self.runs = runs
  }

  /// The origin of a text that stands in a file as it is, from the first line on.
  public init(file: String, linesOf text: String) {
    let newline = UInt8(ascii: "\n")
    let starts = [0] + text.utf8.enumerated().filter { $0.element == newline }.map { $0.offset + 1 }
    let runs = starts.enumerated().map { Run(offset: $1, line: $0 + 1, column: 1) }
    self.init(file: file, runs: runs)
  }

  /// The last run that begins at or before an offset.
  private func run(at offset: Int) -> Run {
    runs.last { $0.offset <= offset } ?? runs[0]
  }

  /// The place in the file of a UTF-8 `offset` in `text`, the decoded text that this is the origin of.
  public func place(of offset: Int, in text: String) -> SourcePlace {
    let run = run(at: offset)
    let utf8 = text.utf8
    let end = min(max(offset, run.offset), utf8.count)
    let start = utf8.index(utf8.startIndex, offsetBy: min(run.offset, end))
    // A scalar begins at every byte that is not a continuation byte.
    let scalars = utf8[start...].prefix(end - min(run.offset, end)).count { $0 & 0xC0 != 0x80 }
    return SourcePlace(file: file, line: run.line, column: run.column + scalars)
  }
}
