import ModelMerging
import RecordFormats
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that the user, or Git, names.
enum GivenFile {
  /// - Throws: `ModelBundleError`.
  static func bytes(of path: String) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ModelBundleError.noSuchFile(path)
    }
    do {
      return try Array(Data(contentsOf: URL(filePath: path)))
    } catch {
      throw ModelBundleError.unreadable(path, reason: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission: "permission denied"
    default: "\(error)"
    }
  }

  /// The versions in the bundle that an `.xccurrentversion` lies in; nil where it lies in none.
  static func versions(beside path: String) -> [String]? {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    do {
      return try ModelBundle(at: folder).versions.map(\.name)
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
