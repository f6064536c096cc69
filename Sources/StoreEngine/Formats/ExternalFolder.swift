import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folder beside a store in which Core Data keeps the values that it does not put into rows.
package struct ExternalFolder: Sendable {
  package let path: String
  private let missing: MissingFiles?

  /// - Parameter missing: counts files that are not there, whose values then read as NULL; without
  ///   it such a value is an error.
  package init(path: String, missing: MissingFiles? = nil) {
    self.path = path
    self.missing = missing
  }

  /// The bytes of a file; nil when it is missing and counted.
  ///
  /// - Throws: `ExternalValueMissing`
  func read(_ name: String) throws(ExternalValueMissing) -> [UInt8]? {
    // The name is a UUID; anything else could lead out of the folder.
    if UUID(uuidString: name) != nil,
      let data = FileManager.default.contents(atPath: path + "/" + name)
    {
      return Array(data)
    }
    guard let missing else { throw ExternalValueMissing(name: name, folder: path) }
    missing.add()
    return nil
  }

  /// How many values could not be read because their files are not there.
  package final class MissingFiles: Sendable {
    private let number = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }

    fileprivate func add() { number.add(1, ordering: .relaxed) }
  }
}

extension ExternalFolder {
  /// The files that can be Core Data's: regular ones whose names are UUIDs in upper case.
  ///
  /// - Throws: `StoreError` when the folder is there but can't be read.
  func files() throws(StoreError) -> Set<String> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return Set(names.filter { UUID(uuidString: $0)?.uuidString == $0 && status(of: $0) != nil })
    } catch {
      throw .inputOutput(path: path, message: "the folder can't be read: \(error)")
    }
  }

  /// `.Todo_SUPPORT/_EXTERNAL_DATA` beside `Todo.sqlite`.
  static func path(beside store: String) -> String {
    let parts = Store.nameParts(of: store)
    return parts.folder + ".\(parts.base)_SUPPORT/_EXTERNAL_DATA"
  }

  /// Removes a file; true also when it was not there.
  func remove(_ name: String) -> Bool {
    guard UUID(uuidString: name) != nil else { return false }
    let file = path + "/" + name
    return unlink(file) == 0 || errno == ENOENT
  }

  /// Whether a file has lain there, under its name and with its content, for so many seconds. A date
  /// in the future counts as now.
  ///
  /// - Parameter now: seconds since 1970.
  func hasRested(_ name: String, for seconds: Double, at now: Double) -> Bool {
    guard let status = status(of: name) else { return false }
    // A file that was moved here or linked keeps its time of modification, but not that of change.
    return now - max(status.modified, status.changed) >= seconds
  }

  /// In seconds since 1970; nil for what is no regular file.
  private func status(of name: String) -> (modified: Double, changed: Double)? {
    var status = stat()
    guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    return (Double(modified.tv_sec), Double(changed.tv_sec))
  }
}
