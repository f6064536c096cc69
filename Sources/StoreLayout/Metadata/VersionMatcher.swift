package import StoreDiagnostics
import StoreModel

/// Looks among versions for the one that wrote a store, and reads no more of them than it takes.
package struct VersionMatcher {
  package let hashes: [String: [UInt8]]
  /// The only version to look at, where the user named one.
  let versionName: String?
  /// What was looked at and did not fit, for the explanation.
  package private(set) var candidates: [VersionCandidate] = []
  /// Versions that could not be read, and why.
  package private(set) var unreadable: [Diagnostic] = []

  package init(hashes: [String: [UInt8]], versionName: String? = nil) {
    self.hashes = hashes
    self.versionName = versionName
  }

  /// There are versions, but what is wrong is in them: of the store nothing can be said.
  package var readNothing: Bool { candidates.isEmpty && !unreadable.isEmpty }

  package var unreadableNotes: [Diagnostic] {
    unreadable.map { $0.asNote("not looked at") }
  }

  /// The first version that fits; nil where none does.
  ///
  /// - Throws: for the version that the user named: that there is none, or what reading it throws.
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

  /// A version that can't be read may still be the wrong one: it stops nothing unless it was named.
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
