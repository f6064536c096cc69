/// Finds the bytes of values that may lie in files of their own.
package protocol LargeValueReader: Sendable {
  /// Calls `use` with the bytes of a value; not at all where its file is missing and that is no error.
  ///
  /// - Parameter stored: what the column holds: the bytes, or what names their file.
  /// - Throws: what keeps the value from being read.
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws
}
