import ModelTools
import RecordFormats
import StoreDiagnostics
import StoreModelReader

/// A file that the user, or Git, names.
enum GivenFile {
  /// - Throws: `ModelBundleError`.
  static func bytes(of path: FilePath) throws -> [UInt8] {
    do {
      return try path.contents()
    } catch {
      throw error.isMissing
        ? ModelBundleError.noSuchFile(path)
        : ModelBundleError.unreadable(path, reason: error.reason)
    }
  }

  /// The versions in the bundle that an `.xccurrentversion` lies in; nil where it lies in none.
  static func versions(beside path: FilePath) -> [String]? {
    do {
      return try ModelBundle(at: path.folder.orHere).versions.map(\.name)
    } catch {
      // A path of the repository need not be one of this folder.
      return nil
    }
  }

  /// Writes bytes on standard output as they are.
  static func print(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBufferPointer(OutputFile.standard.write)
  }
}

extension ByteSource {
  /// All that is left; nil where that is more.
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

  /// All that is left.
  func readAll() throws -> [UInt8] { try readAll(atMost: .max) ?? [] }
}
