import Foundation
import SampleData
import StoreDiagnostics
import StoreLayout
import StoreModel
@testable import SQLiteAccess
import StoreTestSupport
import TestSupport

@testable import StoreAnonymization
@testable import StoreCore

/// A store of `GraphModel` with rules, and its anonymized copy.
struct AnonymizedStore {
  static let key = Array("a key for the tests".utf8)

  let graph: GraphStore
  let book: RuleBook

  /// - Parameter rules: the rules. Attributes without a rule have the rule `keep`.
  init(_ graph: GraphStore, rules: String) throws {
    self.graph = graph
    book = try RuleBook(of: graph.layout.model, RulesText(rules, file: "rules.txt"))
  }

  func anonymization(
    of store: Store, key: [UInt8] = AnonymizedStore.key,
    _ change: (inout Anonymization.Settings) -> Void = { _ in }
  ) throws -> Anonymization {
    var settings = Anonymization.Settings()
    change(&settings)
    return Anonymization(
      of: store, in: try store.layout(for: graph.layout.model), by: book, key: key,
      settings: settings)
  }

  /// All files in and below the folder of the store, except the store's own files.
  func files(but store: String? = nil) throws -> [String: Data] {
    let root = graph.file.folder.url
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      if let store, name.hasPrefix(store) || name.hasPrefix(".\(store.dropLast(7))_SUPPORT") {
        continue
      }
      let path = root.appendingPathComponent(name).path
      guard let kind = LocalPath(path).kind, kind != .folder else { continue }
      found[name] = FileManager.default.contents(atPath: path)
    }
    return found
  }

  /// Returns the files that contain one of the pieces, with the piece.
  static func traces(of pieces: [[UInt8]], in files: [String: Data]) -> [String] {
    files.sorted { $0.key < $1.key }.flatMap { name, data in
      pieces.filter { data.range(of: Data($0)) != nil }
        .map { "\(name): \(String(decoding: $0, as: UTF8.self))" }
    }
  }
}
