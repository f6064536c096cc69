/// A line and a column of a file, both counted from 1; columns count Unicode scalars.
public struct SourcePlace: Hashable, Sendable {
  /// The path as the user gave it, or as discovery found it.
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourcePlace: CustomStringConvertible {
  public var description: String { "\(file):\(line):\(column)" }
}
