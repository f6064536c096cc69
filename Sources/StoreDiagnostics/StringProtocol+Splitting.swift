extension StringProtocol {
  /// The parts before and after the first occurrence of a scalar; nil when there is none.
  ///
  /// `split` and `firstIndex(of:)` compare characters, and `=` with a combining mark after it is another character.
  package func split(atFirst separator: Unicode.Scalar) -> (before: String, after: String)? {
    unicodeScalars.firstIndex(of: separator).map { index in
      (String(self[..<index]), String(self[unicodeScalars.index(after: index)...]))
    }
  }
}
