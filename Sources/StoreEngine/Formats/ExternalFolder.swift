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
  /// Removes a file; true also when it was not there.
  func remove(_ name: String) -> Bool {
    guard UUID(uuidString: name) != nil else { return false }
    let file = path + "/" + name
    return unlink(file) == 0 || errno == ENOENT
  }
}
