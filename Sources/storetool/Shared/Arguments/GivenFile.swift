import ModelTools
import RecordFormats
import StoreDiagnostics
import StoreModelReader

/// Functions for files that the user or Git specifies.
enum GivenFile {
  /// Returns the content of a file.
  ///
  /// - Throws: `ModelBundleError`.
  static func bytes(of path: LocalPath) throws -> [UInt8] {
    do {
      return try path.contents()
    } catch {
      throw error.isMissing
        ? ModelBundleError.noSuchFile(path)
        : ModelBundleError.unreadable(path, reason: error.reason)
    }
  }

  /// Returns the names of the versions in the bundle that contains the file; nil if there is no such bundle.
  ///
  /// - Parameter path: The path of an `.xccurrentversion`.
  static func versions(beside path: LocalPath) -> [String]? {
    do {
      return try ModelBundle(at: path.folder.orHere).versions.map(\.name)
    } catch {
      // During a merge in Git, this path may not exist in the working directory.
      return nil
    }
  }

  /// Writes bytes to standard output.
  static func print(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBufferPointer(OutputFile.standard.write)
  }
}

extension ByteSource {
  /// Returns the remaining bytes; nil if there are more than `limit`.
  func readAll(atMost limit: Int) throws -> [UInt8]? {
    var source = self
    var bytes: [UInt8] = []
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
        count = try source.read(into: UnsafeMutableRawBufferPointer(space))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
      guard bytes.count <= limit else { return nil }
    }
  }

  /// Returns the remaining bytes.
  func readAll() throws -> [UInt8] { try readAll(atMost: .max) ?? [] }
}
