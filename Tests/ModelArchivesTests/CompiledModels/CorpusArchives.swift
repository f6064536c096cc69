import StoreDiagnostics
import ModelArchives
import Foundation
import SQLiteAccess
import StoreLayout
import TestSupport
import Testing

/// A real archive with the expected hashes of its model.
struct CorpusArchive: CustomTestStringConvertible {
  /// The path of the store or of the `.mom`, below the corpus.
  var path: String
  var bytes: [UInt8]
  var hashes: [String: [UInt8]]

  var testDescription: String { path }

  static let all: [CorpusArchive] = {
    guard Corpus.isPresent else { return [] }
    return carried + compiled
  }()

  /// The archives of stores that contain a model. Reads copies, because opening a store with a journal changes it.
  private static var carried: [CorpusArchive] {
    Corpus.storePaths.compactMap { path in
      do {
        let folder = try TemporaryFolder()
        let copy = folder.url.appendingPathComponent("store")
        let source = Corpus.store(path)
        try FileManager.default.copyItem(at: source, to: copy)
        let journal = source.path + "-wal"
        if FileManager.default.fileExists(atPath: journal) {
          try FileManager.default.copyItem(atPath: journal, toPath: copy.path + "-wal")
        }
        return try archive(in: copy, path: path)
      } catch {
        // The file isn't a database, or it doesn't have the table.
        return nil
      }
    }
  }

  private static func archive(in file: URL, path: String) throws -> CorpusArchive? {
    let database = try Database(uri: "file:\(file.path)", path: LocalPath(file.path), .writing)
    return try database.use { connection in
      var statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
      guard try statement.step(), let metadata = try connection.metadata() else { return nil }
      let bytes = try ModelCache.decompressed(statement.bytes(at: 0))
      return CorpusArchive(path: path, bytes: bytes, hashes: metadata.hashes)
    }
  }

  /// The `.mom` files, with the hashes of the `VersionInfo.plist` beside them.
  private static var compiled: [CorpusArchive] {
    let folder = Corpus.root.appendingPathComponent("compiled")
    return Corpus.files(below: folder) { $0.pathExtension == "mom" }.compactMap { url in
      do {
        let plist = url.deletingLastPathComponent().appendingPathComponent("VersionInfo.plist")
        let name = url.deletingPathExtension().lastPathComponent
        let info = try VersionInfo(Array(try Data(contentsOf: plist)))
        return CorpusArchive(
          path: url.path, bytes: Array(try Data(contentsOf: url)), hashes: info.hashes[name] ?? [:])
      } catch {
        return nil
      }
    }
  }
}
