import Foundation
import StoreTestSupport
import TestSupport
import StoreCore

/// The folder of external values of a `GraphModel` store.
struct ExternalFiles {
  static let named = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
  static let orphan = "11111111-2222-4333-8444-555555555555"

  let graph: GraphStore
  private let folder: URL

  init(of graph: GraphStore) throws {
    self.graph = graph
    folder = URL(fileURLWithPath: "\(graph.store.externalDataFolder)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func put(_ names: String...) throws {
    for name in names { try Data(name.utf8).write(to: folder.appendingPathComponent(name)) }
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// Returns the SQL of a value that names a file.
  static func value(_ name: String) -> String {
    "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'"
  }

  /// Returns the names and bytes of all files in the store's folder.
  func snapshot() throws -> [String: Data] {
    let root = graph.file.folder.url
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      found[name] = FileManager.default.contents(atPath: root.appendingPathComponent(name).path)
    }
    return found
  }
}
