import StoreSQL
import SQLiteAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file that keeps a list from one run of a program to the next.
struct ResultCache: Sendable {
  private let folder: String
  private let path: String
  /// What the file must be of: the store and the statements of the request.
  private let identity: String

  init(named name: String, in folder: String, of query: ResultQuery, store: String?) {
    self.folder = folder
    path = Self.path(of: name, in: folder)
    let statements = [query.scan(query.scanned.values), query.ordered].map { sql in
      let (text, values) = sql.rendered()
      return "\(text)\n\(values)"
    }
    identity = ([store ?? ""] + statements).joined(separator: "\n")
  }

  /// `.Todo_RESULTS` beside `Todo.sqlite`.
  static func folder(beside store: String) -> String {
    let (folder, _, base) = Store.nameParts(of: store)
    return "\(folder).\(base)_RESULTS"
  }

  /// The file of a name: what is more than a letter, a digit, `-` or `_` in it goes by its number.
  static func path(of name: String, in folder: String) -> String {
    let plain = name.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(scalar)
      default: "%\(String(scalar.value, radix: 16))."
      }
    }
    return "\(folder)/\(plain.joined())\(suffix)"
  }

  /// The list as it was; nil when there is none of this store and request, or only a damaged one.
  func load() -> KeptRows? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return KeptRows(archived: Array(data), of: identity)
  }

  func save(_ rows: KeptRows) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: nil)
      try Data(rows.archived(of: identity)).write(
        to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      // The next list is then sorted as this one was: later, but right.
    }
  }

  /// Removes the file of a name, or of all names.
  ///
  /// - Throws: `DatabaseError`
  static func remove(_ name: String?, in folder: String) throws(DatabaseError) {
    let manager = FileManager.default
    let path = name.map { Self.path(of: $0, in: folder) } ?? folder
    guard manager.fileExists(atPath: path) else { return }
    do {
      guard name == nil else { return try manager.removeItem(atPath: path) }
      for file in try manager.contentsOfDirectory(atPath: folder) where file.hasSuffix(suffix) {
        try manager.removeItem(atPath: "\(folder)/\(file)")
      }
    } catch {
      throw .inputOutput(path: path, message: "\(error)")
    }
  }

  private static let suffix = ".results"
}
