/// A line and a column of an input text, both from 1; columns count Unicode scalars.
@usableFromInline
package struct TextPosition: Hashable, Sendable {
  @usableFromInline package var line: Int
  @usableFromInline package var column: Int

  @inlinable
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  @inlinable
  package static var start: TextPosition { TextPosition(line: 1, column: 1) }
}
