package import StoreDiagnostics
package import StoreModel

/// The way from one version of a model to another, older or newer: straight from one to the other, as
/// Core Data infers it, but for the definitions between them.
package struct MigrationPath: Hashable, Sendable {
  package enum Leg: Hashable, Sendable {
    case inferred(VersionJump)
    /// By a definition.
    case custom(VersionJump)

    package var ends: VersionJump {
      switch self {
      case .inferred(let jump), .custom(let jump): jump
      }
    }
  }

  /// Empty when both versions are the same.
  package let legs: [Leg]

  /// At each version the definition that leads furthest towards the target is taken; what lies before
  /// it, between two, and behind the last is inferred at once. A definition for a part of another
  /// one's way is not needed.
  ///
  /// - Parameters:
  ///   - versions: all of the bundle, in their order; they hold `source` and `target`.
  ///   - definitions: for which jumps there is one.
  /// - Throws: `MigrationPathError` where two definitions would each have to come first.
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

  /// The path that the user has chosen: from each version to the next one named, by the definition
  /// between them where there is one.
  ///
  /// - Parameter via: the versions to pass, in their order; none for the straight path.
  /// - Throws: `MigrationPathError` for a version that is not there, or named twice.
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

  /// The positions among the passed versions that definitions lead from and to, shorter ones first.
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
  /// Whether the other one begins within this one and ends behind it.
  fileprivate func isCut(by other: ClosedRange<Int>) -> Bool {
    lowerBound < other.lowerBound && other.lowerBound < upperBound && upperBound < other.upperBound
  }
}

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
  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unknownVersion(let name, let known):
      Diagnostic(
        .error, "migrate.unknown-version", "the model has no version '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "it has")
    case .overlap(let one, let other):
      Diagnostic(
        .error, "migrate.overlap",
        "the definitions \(one.text) and \(other.text) overlap, so that only one of them could run"
      ).helping("write one from '\(one.from)' to '\(other.to)', or split them at '\(other.from)'")
        .helping(.migration(.passVersion(one.to)))
    case .lossy(let path, let names):
      Diagnostic(
        .error, "migrate.lossy-way",
        "the way over \(path.stops.map { "'\($0)'" }.joined(separator: ", ")) would lose what both "
          + "ends have: \(names.joined(separator: ", "))"
      ).helping(.migration(.goStraight))
        .helping("or write a definition for all of it")
    case .circle(let name):
      Diagnostic(
        .error, "migrate.circle", "the way comes to '\(name)' twice", cause: .usage
      ).helping(.migration(.passVersionsBetween))
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
