import Foundation

/// A file with the current input, so that an input that ends the process is known.
public struct TraceFile {
  private let handle: FileHandle?

  /// - Parameter path: nil for no file.
  public init(_ path: String?) throws {
    guard let path else {
      handle = nil
      return
    }
    let file = URL(fileURLWithPath: path)
    try Data().write(to: file)
    handle = try FileHandle(forWritingTo: file)
  }

  public func note(_ text: String) throws {
    try handle?.truncate(atOffset: 0)
    try handle?.write(contentsOf: Data(text.utf8))
  }
}
