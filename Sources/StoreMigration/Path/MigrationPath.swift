package import StoreDiagnostics
package import StoreModel

/// The path of a migration: a sequence of legs from one version of a model to a newer or older version. Each leg goes
/// directly from one version to another. Without definitions or custom steps, the default path has one leg from the
/// source to the target.
package struct MigrationPath: Hashable, Sendable {
  package enum Leg: Hashable, Sendable {
    case inferred(VersionJump)
    /// A leg with a definition or a custom step.
    case custom(VersionJump)

    package var ends: VersionJump {
      switch self {
      case .inferred(let jump), .custom(let jump): jump
      }
    }
  }

  /// The legs in their order; empty if the source and the target are the same version.
  package let legs: [Leg]

  /// Creates the default path. From each version, it uses the definition that leads furthest towards the target. The
  /// legs before, between and after definitions are inferred. A definition isn't used if its versions are within the
  /// leg of another definition.
  ///
  /// - Parameters:
  ///   - versions: all versions of the bundle in their order, including `source` and `target`.
  ///   - definitions: the jumps that have a definition or a custom step.
  /// - Throws: `MigrationPathError` if a version is unknown or two definitions overlap.
  package init(
    from source: String, to target: String, in versions: [String], definitions: [VersionJump]
  ) throws(MigrationPathError) {
    func position(of name: String) -> Int? { versions.firstIndex { $0.isExactly(name) } }
    guard let start = position(of: source), let end = position(of: target) else {
      throw .unknownVersion(position(of: source) != nil ? target : source, known: versions)
    }
    let passed = start <= end ? Array(versions[start...end]) : versions[end...start].reversed()
    let jumps = Self.jumps(definitions, among: passed)
    var legs: [Leg] = []
    var position = 0
    while position < passed.count - 1 {
      guard let jump = jumps.last(where: { $0.lowerBound == position }) else {
        let next = jumps.first { $0.lowerBound > position }?.lowerBound ?? passed.count - 1
        legs.append(.inferred(Self.jump(position...next, among: passed)))
        position = next
        continue
      }
      if let other = jumps.first(where: { jump.isCut(by: $0) }) {
        throw .overlap(Self.jump(jump, among: passed), Self.jump(other, among: passed))
      }
      legs.append(.custom(Self.jump(jump, among: passed)))
      position = jump.upperBound
    }
    self.legs = legs
  }

  /// Creates a path through versions that the user specifies. A leg uses the definition between its two versions, if it
  /// exists.
  ///
  /// - Parameter via: the versions that the path passes, in their order. If empty, the path is direct.
  /// - Throws: `MigrationPathError` if a version is unknown, or is passed twice.
  package init(
    from source: String, via: [String], to target: String, in versions: [String],
    definitions: [VersionJump]
  ) throws(MigrationPathError) {
    let names = source.isExactly(target) && via.isEmpty ? [] : [source] + via + [target]
    for (position, name) in names.enumerated() {
      guard versions.containsExactly(name) else { throw .unknownVersion(name, known: versions) }
      if names[..<position].containsExactly(name) { throw .circle(name) }
    }
    legs = zip(names, names.dropFirst()).map { from, to in
      let jump = VersionJump(from: from, to: to)
      return definitions.contains(jump) ? .custom(jump) : .inferred(jump)
    }
  }

  /// Returns the jumps of definitions as ranges of positions in the list of passed versions, sorted by start and end.
  private static func jumps(_ definitions: [VersionJump], among passed: [String]) -> [ClosedRange<
    Int
  >] {
    definitions.compactMap { jump in
      guard let from = passed.firstIndex(where: { $0.isExactly(jump.from) }),
        let to = passed.firstIndex(where: { $0.isExactly(jump.to) }),
        from < to
      else { return nil }
      return from...to
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func jump(_ positions: ClosedRange<Int>, among passed: [String]) -> VersionJump {
    VersionJump(from: passed[positions.lowerBound], to: passed[positions.upperBound])
  }
}

extension ClosedRange<Int> {
  /// Whether the other range begins within this range and ends after it.
  fileprivate func isCut(by other: ClosedRange<Int>) -> Bool {
    lowerBound < other.lowerBound && other.lowerBound < upperBound && upperBound < other.upperBound
  }
}

/// The reason why a path between two versions doesn't exist or can't be used.
package enum MigrationPathError: Error, Hashable, Sendable {
  case unknownVersion(String, known: [String])
  /// The direct path is requested together with versions to pass.
  case directWithVersions
  /// The second definition begins between the versions of the first definition and ends after them.
  case overlap(VersionJump, VersionJump)
  /// The path passes a version twice.
  case circle(String)
  /// An intermediate version can't represent data that both ends can represent. Contains the names of the data, such as
  /// `Item` or `Item.note`.
  case lossy(MigrationPath, [String])
}

extension MigrationPathError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownVersion(let name, let known):
      .error("migrate.unknown-version", "the model has no version '\(name)'", cause: .notFound)
        .didYouMean(name, among: known, elseListing: "its versions are")
    case .directWithVersions:
      .error(
        "migrate.unknown-version",
        "'\(VersionGraph.direct)' can't be combined with intermediate versions", cause: .notFound)
    case .overlap(let one, let other):
      .error(
        "migrate.overlap",
        "the definitions \(one.text) and \(other.text) overlap, so only one of them can run"
      ).helping("write one from '\(one.from)' to '\(other.to)', or split them at '\(other.from)'")
        .helping(.migration(.passVersion(one.to)))
    case .lossy(let path, let names):
      .error(
        "migrate.lossy-way",
        "migrating through \(path.stops.map { "'\($0)'" }.joined(separator: ", ")) would lose data that "
          + "\(path.endsInWords("and")) both store: \(names.joined(separator: ", "))"
      ).helping(.migration(.goStraight))
        .helping("or use a definition from \(path.endsInWords("to"))")
    case .circle(let name):
      .error("migrate.circle", "the path contains '\(name)' twice", cause: .usage)
        .helping(.migration(.passVersionsBetween))
    }
  }
}

extension MigrationPath {
  /// The first and the last version: `'Todo' to 'Todo 3'`.
  fileprivate func endsInWords(_ word: String) -> String {
    "'\(legs.first?.ends.from ?? "")' \(word) '\(legs.last?.ends.to ?? "")'"
  }

  /// The names of the intermediate versions.
  var stops: [String] { legs.dropLast().map(\.ends.to) }
}

extension VersionJump {
  /// The jump as text, such as `'Todo' → 'Todo 2'`.
  package var text: String { "'\(from)' → '\(to)'" }
}
