import StoreDiagnostics
import SQLiteAccess

/// The file that stores a list between two runs of a program.
struct ResultCache: Sendable {
  private let folder: LocalPath
  private let path: LocalPath
  /// The expected identity of the file: the store and the statements of the request.
  private let identity: String

  init(named name: String, in folder: LocalPath, of query: ResultQuery, store: String?) {
    self.folder = folder
    path = Self.path(of: name, in: folder)
    let statements = [query.scan(query.scanned.values), query.ordered].map { sql in
      let (text, values) = sql.rendered()
      return "\(text)\n\(values)"
    }
    identity = ([store ?? ""] + statements).joined(separator: "\n")
  }

  /// Returns the folder `.Todo_RESULTS` next to `Todo.sqlite`.
  static func folder(beside store: LocalPath) -> LocalPath {
    "\(store.folder).\(store.base)_RESULTS"
  }

  /// Returns the path of the file for a name. Characters other than the letters a to z and A to Z, digits, `-` and `_`
  /// are replaced by their Unicode numbers.
  static func path(of name: String, in folder: LocalPath) -> LocalPath {
    let plain = name.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(scalar)
      default: "%\(String(scalar.value, radix: 16))."
      }
    }
    return "\(folder)/\(plain.joined())\(suffix)"
  }

  /// Returns the stored list, or nil if it is missing, damaged, or belongs to another store or request.
  func load() -> KeptRows? {
    do {
      return KeptRows(archived: try path.contents(), of: identity)
    } catch {
      // The list is read from the store instead.
      return nil
    }
  }

  func save(_ rows: KeptRows) {
    do {
      try folder.makeFolders()
      try path.replace(with: Array(rows.archived(of: identity)))
    } catch {
      // The next list must then be sorted again.
    }
  }

  /// Removes the file for a name, or the files of all lists if the name is nil.
  ///
  /// - Throws: `DatabaseError`
  static func remove(_ name: String?, in folder: LocalPath) throws(DatabaseError) {
    let path = name.map { Self.path(of: $0, in: folder) } ?? folder
    guard path.kind != nil else { return }
    do {
      guard name == nil else { return try path.removeFile() }
      for file in try folder.names() where file.hasSuffix(suffix) {
        try folder.appending(file).removeFile()
      }
    } catch {
      throw DatabaseFile.error(error, path)
    }
  }

  private static let suffix = ".results"
}
