/// A map from offsets in a decoded text to locations in the text's file.
///
/// A predicate in model XML is written with entities (`&quot;`, `&gt;`), so an offset in the decoded predicate and the
/// column in the file differ. A new `Run` begins wherever this difference changes.
public struct SourceOrigin: Hashable, Sendable {
  /// A part of the decoded text, from `offset` to the next run, in which each scalar occupies one column of the file.
  public struct Run: Hashable, Sendable {
    /// UTF-8 offset in the decoded text.
    public var offset: Int
    /// The line number in the file, starting at 1.
    public var line: Int
    /// The column number in the file, starting at 1.
    public var column: Int

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - offset: the UTF-8 offset in the decoded text.
    ///   - line: the line number in the file, starting at 1.
    ///   - column: the column number in the file, starting at 1.
    public init(offset: Int, line: Int, column: Int) {
      self.offset = offset
      self.line = line
      self.column = column
    }
  }

  /// The path of the file.
  public var file: String
  /// The runs, sorted by `offset`. The first one has offset 0.
  public var runs: [Run]

  /// Creates an origin.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - runs: the runs, sorted by `offset`.
  public init(file: String, runs: [Run]) {
    precondition(!runs.isEmpty, "an origin requires at least one run")
    self.file = file
    self.runs = runs
  }

  /// Creates the origin of a text that is the whole content of a file, with one run for each line.
  public init(file: String, linesOf text: String) {
    let newline = UInt8(ascii: "\n")
    let starts = [0] + text.utf8.enumerated().filter { $0.element == newline }.map { $0.offset + 1 }
    let runs = starts.enumerated().map { Run(offset: $1, line: $0 + 1, column: 1) }
    self.init(file: file, runs: runs)
  }

  /// Returns the last run that begins at or before an offset.
  private func run(at offset: Int) -> Run {
    runs.last { $0.offset <= offset } ?? runs[0]
  }

  /// Returns the location in the file of an offset in the decoded text.
  ///
  /// - Parameters:
  ///   - offset: a UTF-8 offset in `text`.
  ///   - text: the decoded text.
  public func place(of offset: Int, in text: String) -> SourcePlace {
    let run = run(at: offset)
    let utf8 = text.utf8
    let end = min(max(offset, run.offset), utf8.count)
    let start = utf8.index(utf8.startIndex, offsetBy: min(run.offset, end))
    // A scalar begins at each byte that isn't a continuation byte.
    let scalars = utf8[start...].prefix(end - min(run.offset, end)).count { $0 & 0xC0 != 0x80 }
    return SourcePlace(file: file, line: run.line, column: run.column + scalars)
  }
}
