/// Finds the bytes of values that may lie in files of their own. A class: formatters pass it on for each cell, and
/// another module's value behind a protocol would be copied each time.
package protocol LargeValueReader: AnyObject, Sendable {
  /// Calls `use` with the bytes of a value; not at all where its file is missing and that is not an error.
  ///
  /// - Parameter stored: what the column holds: the bytes, or what names their file.
  /// - Throws: what keeps the value from being read.
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws

  /// Counts a text value whose bytes aren't UTF-8.
  func noteInvalidText()
}
