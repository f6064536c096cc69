/// The place of a row in a list of results: its section, and its place in there, both from 0.
public struct ResultIndexPath: Hashable, Sendable, Comparable {
  public var section: Int
  public var row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension ResultIndexPath: CustomStringConvertible {
  /// `2.14`: the fifteenth row of the third section.
  public var description: String { "\(section).\(row)" }
}
