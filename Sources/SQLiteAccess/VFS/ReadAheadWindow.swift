import StoreDiagnostics

/// A piece of a file in memory, out of which SQLite may hold pages.
final class ReadAheadWindow {
  /// What of the file is in it.
  private(set) var range: Range<Int64> = 0..<0
  /// Pages that SQLite holds: until it lets go of them they must stay where they are.
  private var heldPages = 0
  private let bytes: UnsafeMutableRawPointer

  /// SQLite may read this much past a page that is damaged, says its `unixFetch`.
  private static let overrun = 256

  /// - Parameter capacity: in bytes.
  init(capacity: Int) {
    // Processors copy into the window much slower from the system's pages when the two aren't aligned alike.
    bytes = .allocate(byteCount: capacity + Self.overrun, alignment: SystemPage.size)
    (bytes + capacity).initializeMemory(as: UInt8.self, repeating: 0, count: Self.overrun)
  }

  deinit { bytes.deallocate() }

  var isHeld: Bool { heldPages > 0 }

  /// - Returns: where these bytes of the file are; nil when not all of them are here.
  func bytes(of part: Range<Int64>) -> UnsafeMutableRawPointer? {
    guard part.lowerBound >= range.lowerBound, part.upperBound <= range.upperBound else {
      return nil
    }
    return bytes + Int(part.lowerBound - range.lowerBound)
  }

  func hold() { heldPages += 1 }

  /// - Returns: whether the page was one of this window.
  func release(_ page: UnsafeMutableRawPointer) -> Bool {
    guard isHeld, page >= bytes, page < bytes + range.count else { return false }
    heldPages -= 1
    return true
  }

  /// Takes in another piece; `read` tells whether it could be read whole.
  ///
  /// - Returns: what `read` returned. The window is empty when that is false.
  func fill(_ piece: Range<Int64>, _ read: (UnsafeMutableRawPointer) -> Bool) -> Bool {
    range = 0..<0
    guard read(bytes) else { return false }
    range = piece
    return true
  }
}
