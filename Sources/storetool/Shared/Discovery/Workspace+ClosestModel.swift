import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModelReader

/// A store that no version at hand wrote, read by the one that is nearest to it.
extension Workspace {
  /// - Throws: `UnknownVersion` where none is near: the store is of another model, or says nothing.
  func closestModel(to store: Store) throws -> FoundModel {
    let hashes = store.metadata.hashes
    var nearest: [ClosestCandidate] = []
    var last = VersionMatcher(hashes: hashes)
    for versions in try self.versions() {
      var matcher = VersionMatcher(hashes: hashes, versionName: named.modelVersion)
      _ = try matcher.match(in: versions.hashed)
      last = matcher
      guard VersionGap(of: hashes, among: matcher.candidates).verdict.isNear else { continue }
      for candidate in matcher.candidates {
        let gap = VersionGap(of: hashes, among: [candidate])
        let count = nearest.first?.gap.differences.count ?? .max
        guard gap.verdict.isNear, gap.differences.count <= count else { continue }
        if gap.differences.count < count { nearest = [] }
        nearest.append(ClosestCandidate(candidate: candidate, gap: gap, versions: versions))
      }
    }
    guard !nearest.isEmpty else { throw UnknownVersion(store, last) }
    let schema = try store.read { try $0.schema() }
    // Of several with as many other hashes the one whose tables are most like the store's.
    let found = try nearest.map { near in
      let model = try FoundModel(near.candidate, of: near.versions)
      let reduced = ReducedModel(
        model.model, configuration: model.configuration, to: schema, having: hashes.keys.exact)
      return (near.gap, model, reduced)
    }
    guard let best = found.min(by: { $0.2.differenceCount < $1.2.differenceCount }) else {
      throw UnknownVersion(store, last)
    }
    return try FoundModel(closest: best.1, best.0, best.2, to: store.path)
  }

  /// The same; nil where it was not asked for, or there is none.
  func nearModel(to store: Store) throws -> FoundModel? {
    guard readsClosest else { return nil }
    do {
      return try closestModel(to: store)
    } catch let error as any DiagnosableError {
      Terminal.report(error.diagnostics.map { $0.asNote("no version is near") })
      return nil
    }
  }

  /// What reads the store all the same.
  func advising(_ error: UnknownVersion) -> UnknownVersion {
    guard error.verdict?.isNear == true, !readsClosest else { return error }
    return error.helping(
      named.modelVersion == nil
        ? "\(ClosestOption.name) reads it all the same, by that version"
        : "--model-version does not override the version hashes; \(ClosestOption.name) reads it by that version"
    )
  }
}

/// A version with as few other hashes as any.
private struct ClosestCandidate {
  var candidate: VersionCandidate
  var gap: VersionGap
  var versions: VersionsAtHand
}

extension FoundModel {
  /// The nearest version, without what the store lacks.
  fileprivate init(
    closest found: FoundModel, _ gap: VersionGap, _ reduced: ReducedModel, to path: FilePath
  ) throws {
    let bundle = ModelBundle(of: reduced.model, from: found.bundle.path)
    try self.init(bundle.versions[0], of: VersionsAtHand(of: bundle), origin: .closest)
    notes = [
      Diagnostic(
        .note, "model.closest",
        "'\(path)' is read by \(gap.closest ?? found.description), which did not write it: what differs is left out"
      )
    ]
    for difference in gap.differences {
      notes.append(
        Diagnostic(
          .note, "model.closest", gap.sentence(for: difference),
          help: reduced.omissions(of: difference.entity).map { .text($0) }))
    }
    notes += reduced.foreignColumns.sorted { $0.key < $1.key }.map { table, columns in
      Diagnostic(
        .note, "model.closest",
        "left out: \(columns.joined(separator: ", ")) of \(table), which the model does not have")
    }
  }
}

extension ReducedModel {
  fileprivate func omissions(of entity: String) -> [String] {
    if missingEntities.contains(entity) { return ["left out: the store has no table for it"] }
    guard let missing = missingProperties[entity] else { return [] }
    let list = missing.map { "'\($0)'" }.joined(separator: ", ")
    return ["left out: \(list), which the store does not have, or not of that type"]
  }
}

extension VersionGap.Verdict {
  /// Whether it is another version of the same model.
  fileprivate var isNear: Bool {
    switch self {
    case .newer, .different: true
    case .noHashes, .noModel, .otherModel: false
    }
  }
}

/// A write by a version that is only near to the one that wrote the store.
struct ClosestModelError: DiagnosableError {
  let store: FilePath

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "model.closest",
        "'\(store)' is only read by a version that did not write it: what that version does not know a write "
          + "would leave wrong", help: ["name the model that wrote it: --model App.xcdatamodeld"])
    ]
  }
}
