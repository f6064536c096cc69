package import StoreDiagnostics
package import StoreModel

/// Why there is no way between two versions.
package enum MigrationPathError: Error, Hashable, Sendable {
  case unknownVersion(String, known: [String])
  /// One definition begins in the middle of the other one's way and leads beyond its end.
  case overlap(VersionJump, VersionJump)
  /// A way that comes to a version twice.
  case circle(String)
  /// A version on the way has no place for what both ends have: `Item`, `Item.note`.
  case lossy(MigrationPath, [String])
}

extension MigrationPathError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .unknownVersion(let name, let known):
      [
        Diagnostic(
          .error, "migrate.unknown-version", "the model has no version '\(name)'", cause: .notFound
        ).didYouMean(name, among: known, elseListing: "it has")
      ]
    case .overlap(let one, let other):
      [
        Diagnostic(
          .error, "migrate.overlap",
          "the definitions \(one.text) and \(other.text) overlap, so that only one of them could run"
        ).helping("write one from '\(one.from)' to '\(other.to)', or split them at '\(other.from)'")
          .helping(.migration(.passVersion(one.to)))
      ]
    case .lossy(let path, let names):
      [
        Diagnostic(
          .error, "migrate.lossy-way",
          "the way over \(path.stops.map { "'\($0)'" }.joined(separator: ", ")) would lose what both "
            + "ends have: \(names.joined(separator: ", "))"
        ).helping(.migration(.goStraight))
          .helping("or write a definition for all of it")
      ]
    case .circle(let name):
      [
        Diagnostic(
          .error, "migrate.circle", "the way comes to '\(name)' twice", cause: .usage
        ).helping(.migration(.passVersionsBetween))
      ]
    }
  }
}

extension MigrationPath {
  /// The versions that are passed.
  var stops: [String] { legs.dropLast().map(\.ends.to) }
}

extension VersionJump {
  /// `'Todo' → 'Todo 2'`
  package var text: String { "'\(from)' → '\(to)'" }
}
