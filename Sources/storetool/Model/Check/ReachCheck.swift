import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// Checks that stores of each version can be migrated to the current one, by the path that `migrate` uses.
struct ReachCheck {
  let bundle: ModelBundle
  /// The readable versions.
  let readings: [(version: ModelVersion, reading: ModelReading)]
  let migrations: LocalPath
  /// The oldest version whose stores must be able to migrate; nil for all.
  var oldest: String?

  /// - Throws: An error of finding definitions, for example if the folder can't be read, or of reading versions.
  func findings() throws -> [DiagnosticMessage] {
    let definitions = try DefinitionFolder.find(of: bundle, in: migrations)
    let graph = VersionGraph(of: VersionReadings(of: bundle), definitions)
    let renames = try graph.renames(model: model)
    var refusals = Refusals(diagnostics: definitions.faults.flatMap(\.diagnostics))
    for jump in definitions.jumps {
      do {
        let route = try graph.route(
          along: graph.path(from: jump.from, to: jump.to, via: [VersionGraph.direct]),
          model: model, renames: { renames })
        for problem in try statementProblems(of: route, for: jump) { refusals.add(problem) }
      } catch {
        refusals.add(error)
      }
    }
    guard let goal = bundle.currentVersion?.name ?? graph.order.names.last,
      let target = readings.first(where: { $0.version.name.isExactly(goal) })
    else { return refusals.diagnostics }
    // Versions after the current one aren't in use yet, or were withdrawn.
    let older = graph.order.before(goal, since: oldest).compactMap { name in
      readings.first { $0.version.name.isExactly(name) }
    }
    var obstacles: [Obstacle] = []
    var mismatches: [(mismatch: IdentifierMismatch, target: Version, versions: [String])] = []
    for source in older {
      let legs = legs(from: source, to: target, by: graph, renames, &refusals)
      for leg in legs {
        for found in leg.mismatches {
          let index = mismatches.firstIndex {
            $0.mismatch == found && $0.target.version == leg.target.version
          }
          if let index {
            mismatches[index].versions.append(source.version.name)
          } else {
            mismatches.append((found, leg.target, [source.version.name]))
          }
        }
      }
      for found in legs.flatMap({ self.obstacles(of: $0, from: source) }) {
        if let index = obstacles.firstIndex(where: { $0.isAlike(found) }) {
          obstacles[index].versions += found.versions
        } else {
          obstacles.append(found)
        }
      }
    }
    return refusals.diagnostics + obstacles.map(finding)
      + mismatches.map { mismatch, target, versions in
        target.reading.locate(
          mismatch.finding(from: versions, to: target.version.name), at: mismatch.part)
      }
  }

  /// The errors of definitions and paths, as `migrate` reports them, without duplicates.
  private struct Refusals {
    private(set) var diagnostics: [DiagnosticMessage]

    mutating func add(_ error: any Error) {
      for diagnostic in [DiagnosticMessage](explaining: error) { add(diagnostic) }
    }

    mutating func add(_ diagnostic: DiagnosticMessage) {
      if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
  }

  /// The error for a version that couldn't be read. `ModelCheck` has already reported the reason.
  private struct UnreadVersion: DiagnosableError {
    let name: String

    var diagnostics: [DiagnosticMessage] { [] }
    var reason: String { "the version '\(name)' can't be read" }
  }

  private typealias Version = (version: ModelVersion, reading: ModelReading)

  /// A problem of migrating rows of one or more versions. With the severity `.error`, it occurs in any case. With
  /// `.warning`, it depends on the rows.
  private struct Obstacle {
    let problem: MappingError
    let severity: DiagnosticMessage.Severity
    /// The version that the rows can't be migrated to.
    let target: Version
    /// The reason why the definition on the path doesn't solve the problem; nil without a definition.
    let reason: String?
    /// The versions whose rows have the problem, oldest first.
    var versions: [String]

    func isAlike(_ other: Obstacle) -> Bool {
      problem == other.problem && severity == other.severity && reason == other.reason
        && target.version == other.target.version
    }
  }

  private func finding(_ obstacle: Obstacle) -> DiagnosticMessage {
    let (names, target) = (obstacle.versions, obstacle.target)
    var finding = obstacle.problem.diagnostic(
      obstacle.severity, from: names, to: target.version.name)
    // A definition from the newest of these versions is enough, because the paths from older versions also lead through
    // it.
    let path = names.last.map {
      DefinitionFolder.path(from: $0, to: target.version.name, of: bundle, in: migrations)
    }
    if let advice = obstacle.reason ?? path.map({ "or write a migration: \($0)" }) {
      finding = finding.helping(advice)
    }
    return target.reading.locate(finding, at: obstacle.problem.part)
  }

  private struct Leg {
    let obstacles: [MappingError]
    let risks: [MappingError]
    let mismatches: [IdentifierMismatch]
    let target: Version
    /// The definition that is used; nil for an inferred migration.
    var definition: LocalPath?
    /// The reason why an existing migration can't run; nil if it can run or there is none.
    var reason: String?
  }

  private func legs(
    from source: Version, to target: Version, by graph: VersionGraph, _ renames: RenameHistory,
    _ refusals: inout Refusals
  ) -> [Leg] {
    do {
      let route = try graph.route(
        along: graph.path(from: source.version.name, to: target.version.name), model: model,
        renames: { renames })
      return zip(route.legs, route.risks).map { leg, risks in
        let end = readings.first { $0.version.name.isExactly(leg.path.ends.to) } ?? target
        return Leg(
          obstacles: leg.mapping.obstacles, risks: risks, mismatches: leg.mismatches, target: end,
          definition: graph.definitions.path(of: leg.path))
      }
    } catch {
      // The migration can't run, so the inferred migration is checked instead.
      refusals.add(error)
      let pairing = ModelPairing(from: source.reading.model, to: target.reading.model)
      let mapping = MappingInference.infer(pairing)
      return [
        Leg(
          obstacles: mapping.obstacles, risks: mapping.risks, mismatches: [], target: target,
          reason: reason(of: error))
      ]
    }
  }

  private func obstacles(of leg: Leg, from source: Version) -> [Obstacle] {
    func obstacle(_ problem: MappingError, _ severity: DiagnosticMessage.Severity) -> Obstacle {
      Obstacle(
        problem: problem, severity: severity, target: leg.target,
        reason: leg.reason ?? leg.definition.map { problem.explanation(despite: $0) },
        versions: [source.version.name])
    }
    return leg.obstacles.map { obstacle($0, .error) } + leg.risks.map { obstacle($0, .warning) }
  }

  /// Returns the errors of a definition's SQL, which is run on an empty store, because the models don't show which
  /// statements SQLite rejects.
  private func statementProblems(
    of route: MigrationRoute, for jump: VersionJump
  ) throws -> [DiagnosticMessage] {
    guard let source = route.mappings.first?.source,
      route.mappings.contains(where: { $0.definition?.hasStatements == true })
    else { return [] }
    let trial = PairTrial(
      of: source, by: route.mappings, names: (jump.from, jump.to), sample: .init(rows: 0, seed: 1))
    return try PairTrial.withTemporaryFolder(trial.run).problems.map(\.cause)
  }

  private func model(_ name: String) throws -> DataModel {
    guard let found = readings.first(where: { $0.version.name.isExactly(name) }) else {
      throw UnreadVersion(name: name)
    }
    return found.reading.model
  }

  private func reason(of error: any Error) -> String {
    if let error = error as? UnreadVersion { return error.reason }
    let mistake = (error as? any DiagnosableError)?.diagnostics.first
    let file = mistake?.place.map { "'\($0.file)'" } ?? "on the path"
    return "the migration \(file) can't run: \(mistake?.message ?? "\(error)")"
  }
}

extension [String] {
  private static let listLimit = 3

  /// The names in a sentence, such as `'App' and 'App 2'`, or `'App', 'App 2', 'App 3' and 4 more versions`.
  fileprivate var listed: String {
    let names = map { "'\($0)'" }
    guard let last = names.last, count > 1 else { return names.first ?? "" }
    guard count > Self.listLimit else {
      return names.dropLast().joined(separator: ", ") + " and \(last)"
    }
    let rest = count - Self.listLimit
    return names.prefix(Self.listLimit).joined(separator: ", ")
      + " and \(rest) more \("version".plural(rest))"
  }
}

extension IdentifierMismatch {
  fileprivate func finding(from versions: [String], to new: String) -> DiagnosticMessage {
    DiagnosticMessage(
      .warning, "model.identifier-mismatch",
      "\(sentence): Core Data drops \(loss) when it migrates stores of \(versions.listed) to '\(new)'",
      help: [.text(advice)])
  }
}

extension MappingError {
  /// Returns the reason why a definition doesn't help.
  fileprivate func explanation(despite definition: LocalPath) -> String {
    if case .missingValue = self {
      "the definition '\(definition)' sets no default for it"
    } else {
      "the migration '\(definition)' doesn't change this"
    }
  }

  fileprivate func diagnostic(
    _ severity: DiagnosticMessage.Severity, from versions: [String], to new: String
  ) -> DiagnosticMessage {
    let old = versions.listed
    let problem =
      severity == .error
      ? "rows of \(old) can't migrate to '\(new)'"
      : "stores of \(old) might fail to migrate to '\(new)'"
    return DiagnosticMessage(
      severity, "model.unreachable", "\(problem): \(reason)",
      help: [.text(advice)])
  }
}
