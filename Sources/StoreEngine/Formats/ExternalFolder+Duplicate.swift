#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ExternalFolder {
  /// Gives another store the same files: second names for them where the file system has hard links,
  /// else copies. Core Data never writes into such a file again, so they may be shared.
  ///
  /// - Parameter store: for error messages.
  func duplicate(to folder: String, for store: String) throws(StoreError) {
    let names = try files().sorted()
    guard !names.isEmpty else { return }
    try Self.makeFolder(StoreFile.folder(of: folder), for: store)
    try Self.makeFolder(folder, for: store)
    for name in names {
      let (old, new) = ("\(path)/\(name)", "\(folder)/\(name)")
      guard link(old, new) != 0 else { continue }
      switch errno {
      case EXDEV, EPERM, ENOTSUP, EMLINK: try Self.copy(old, to: new, for: store)
      case EEXIST: throw .exists(path: new)
      case let code: throw StoreFile.error(code, new)
      }
    }
  }

  /// Removes the folder with its files, and the one around it where nothing else is in it.
  func removeAll() {
    do {
      for name in try files() { _ = remove(name) }
    } catch {
      // What can't be read was not made by us.
      return
    }
    rmdir(path)
    rmdir(StoreFile.folder(of: path))
  }

  private static func makeFolder(_ path: String, for store: String) throws(StoreError) {
    guard mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw StoreFile.error(errno, store)
  }

  private static func copy(_ old: String, to new: String, for store: String) throws(StoreError) {
    do {
      try FileManager.default.copyItem(atPath: old, toPath: new)
    } catch {
      throw .inputOutput(path: store, message: "'\(old)' can't be copied: \(error)")
    }
  }
}
