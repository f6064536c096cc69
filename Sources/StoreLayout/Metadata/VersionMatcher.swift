package import StoreDiagnostics
import StoreModel

/// Finds the version that wrote a store. It stops reading versions at the first match.
package struct VersionMatcher {
  package let hashes: [String: [UInt8]]
  /// The only version to check, if the user specified one.
  package let versionName: String?
  /// The candidates of all versions that were read, for the message.
  package private(set) var candidates: [VersionCandidate] = []
  /// The errors of versions that couldn't be read.
  package private(set) var unreadable: [DiagnosticMessage] = []

  package init(hashes: [String: [UInt8]], versionName: String? = nil) {
    self.hashes = hashes
    self.versionName = versionName
  }

  /// Whether no version could be read, so that the store can't be compared.
  package var readNothing: Bool { candidates.isEmpty && !unreadable.isEmpty }

  package var unreadableNotes: [DiagnosticMessage] {
    unreadable.map {
      $0.asNote("a version can't be read, so it wasn't compared with the store")
    }
  }

  /// Returns the first version that matches, or nil.
  ///
  /// - Throws: an error if the version that the user specified doesn't exist or can't be read.
  package mutating func match(in versions: HashedVersions) throws -> VersionCandidate? {
    let names =
      try versionName.map { [try versions.source.requireName($0)] }
      ?? versions.source.namesLikelyFirst
    for name in names {
      guard let own = try candidates(of: name, in: versions) else { continue }
      candidates += own
      if let fitting = own.first(where: { $0.fits(hashes) }) { return fitting }
    }
    return nil
  }

  /// Returns the candidates of a version. Returns nil if the version can't be read, unless the user specified it,
  /// because another version can match.
  private mutating func candidates(
    of name: String, in versions: HashedVersions
  ) throws -> [VersionCandidate]? {
    do {
      return try versions.candidates(of: name)
    } catch let error as any DiagnosableError where versionName == nil {
      unreadable += error.diagnostics.filter { $0.severity == .error }
      return nil
    }
  }
}
