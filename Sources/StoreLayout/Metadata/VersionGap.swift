package import StoreDiagnostics

/// The difference between a store and the closest of the versions that were compared with it, none of which wrote it.
package struct VersionGap: Hashable, Sendable {
  /// The conclusion from the hashes.
  package enum Verdict: String, Hashable, Sendable {
    /// The store doesn't contain hashes.
    case noHashes = "no hashes"
    /// There is no version to compare.
    case noModel = "no model"
    /// The versions don't contain any entity that is in the store.
    case otherModel = "another model"
    /// The store has entities that no version of the closest model contains, so a later version probably wrote it.
    case newer
    /// The versions of the closest model contain all entities in the store, but none of them contains exactly the
    /// store's hashes.
    case different
  }

  /// The quoted name of the candidate with the fewest differences, such as `'Todo 2'`, or nil without candidates.
  package let closest: String?
  /// The differences from the closest candidate, in the order of the entities' names.
  package let differences: [EntityDifference]
  /// For entities in `differences`, by name: the first candidate in which the entity has the same hash as in the store.
  package let asIn: [String: String]
  package let verdict: Verdict
  /// The version identifiers in the store's metadata, which are usually missing.
  package var identifiers: [String] = []
  /// The only version that was compared, if the user specified one.
  package var requested: String?
  /// The available version that wrote the store, if the user specified another one.
  package var writer: String?
  /// The conclusion from all available versions, if the user specified one.
  package var verdictOfAll: Verdict?

  package init(
    closest: String?, differences: [EntityDifference], asIn: [String: String] = [:],
    verdict: Verdict
  ) {
    self.closest = closest
    self.differences = differences
    self.asIn = asIn
    self.verdict = verdict
  }

  package init(of hashes: [String: [UInt8]], among candidates: [VersionCandidate]) {
    let ranked = candidates.map { ($0, Self.differences(from: hashes, to: $0.hashes)) }
    // A small model of another app can have few differences, so candidates without an entity that is in the store are
    // used only if there are no others. Of equally close candidates, the last one is used, because a later version is
    // more likely.
    let related = ranked.filter { $0.0.isRelated(to: hashes) }
    let best = (related.isEmpty ? ranked : related).reversed().min { $0.1.count < $1.1.count }
    closest = best?.0.quotedName
    differences = best?.1 ?? []
    var asIn: [String: String] = [:]
    for entity in differences.map(\.entity) {
      guard let hash = ExactDictionary(hashes)[entity] else { continue }
      asIn[entity] = candidates.first { ExactDictionary($0.hashes)[entity] == hash }?.quotedName
    }
    self.asIn = asIn
    verdict = Self.verdict(on: hashes, closest: related.isEmpty ? nil : best?.0, among: candidates)
  }

  /// Returns the verdict. Only candidates that have an entity in common with the closest one are considered, because
  /// other models can have entities with the same names as the store.
  private static func verdict(
    on hashes: [String: [UInt8]], closest: VersionCandidate?, among candidates: [VersionCandidate]
  ) -> Verdict {
    guard !hashes.isEmpty else { return .noHashes }
    guard !candidates.isEmpty else { return .noModel }
    guard let closest else { return .otherModel }
    let versions = candidates.filter { $0.isRelated(to: closest.hashes) }
    let known = versions.flatMap(\.hashes.keys).exact
    return known.isSuperset(of: hashes.keys.exact) ? .different : .newer
  }

  /// Returns the differences in the order of the entities' names.
  private static func differences(
    from store: [String: [UInt8]], to model: [String: [UInt8]]
  ) -> [EntityDifference] {
    let (stored, modelled) = (ExactDictionary(store), ExactDictionary(model))
    let names = (stored.keys + modelled.keys).exact.map(\.text).sorted { $0.precedes($1) }
    return names.compactMap { entity in
      switch (stored[entity], modelled[entity]) {
      case (_?, nil): .onlyInStore(entity)
      case (nil, _?): .onlyInModel(entity)
      case (let old, let new): old == new ? nil : .changed(entity)
      }
    }
  }
}

extension VersionGap {
  /// The remedy, the identifiers of the version, and the differences.
  var remedies: [DiagnosticRemedy] {
    var remedies: [DiagnosticRemedy] = writer == nil ? [remedy] : []
    if !identifiers.isEmpty {
      remedies.append("its metadata calls the version that wrote it \(quotedIdentifiers)")
    }
    if writer == nil, let comparison { remedies.append(.text(comparison)) }
    return remedies
  }

  /// The closest version and the differences in one line, such as `the closest version is 'Todo'; it differs in 'Item'
  /// (different version hash)`. It is nil if the store and the version can't be compared.
  var comparison: String? {
    guard let closest, verdict != .noHashes, verdict != .otherModel, !differences.isEmpty else {
      return nil
    }
    let parts = differences.prefix(Self.listLimit).map { phrase(for: $0) }.joined(separator: ", ")
    let rest = differences.count - Self.listLimit
    let list = rest > 0 ? "\(parts) and \(rest) more" : parts
    return requested == nil
      ? "the closest version is \(closest); it differs in \(list)" : "\(closest) differs in \(list)"
  }

  private static let listLimit = 12

  /// Returns the entity and its difference, such as `'Tag' (only in the store)`.
  private func phrase(for difference: EntityDifference) -> String {
    switch difference {
    case .onlyInStore(let name): "'\(name)' (only in the store)"
    case .onlyInModel(let name): "'\(name)' (only in the model)"
    case .changed(let name):
      "'\(name)' (\(asIn[name].map { "the store has the hash of \($0)" } ?? "different version hash"))"
    }
  }

  /// Returns a line of `differences`, such as `'Item' exists in the store and in 'Todo 2', but with different version
  /// hashes; the store has the hash of 'Todo 3'`.
  package func sentence(for difference: EntityDifference) -> String {
    let model = closest ?? "the model"
    let sentence =
      switch difference {
      case .onlyInStore(let name): "'\(name)' exists only in the store"
      case .onlyInModel(let name): "'\(name)' exists only in \(model)"
      case .changed(let name):
        "'\(name)' exists in the store and in \(model), but with different version hashes"
      }
    return sentence + (asIn[difference.entity].map { "; the store has the hash of \($0)" } ?? "")
  }

  /// The identifiers in quotes: `'7'`, or `'7', 'Reader 2'` for merged models.
  var quotedIdentifiers: String { identifiers.map { "'\($0)'" }.joined(separator: ", ") }

  /// The help for the user, according to the verdict.
  package var remedy: DiagnosticRemedy {
    switch verdictOfAll ?? verdict {
    case .noHashes: "the store doesn't contain version hashes, so its version is unknown"
    case .noModel: .model(.name(.noModel))
    case .otherModel: .model(.name(.otherModel))
    case .newer: .model(.name(.newerVersion))
    case .different: .model(.name(.editedVersion))
    }
  }
}

extension VersionCandidate {
  /// Returns whether the candidate and `other` have an entity with the same name.
  fileprivate func isRelated(to other: [String: [UInt8]]) -> Bool {
    !hashes.keys.exact.isDisjoint(with: other.keys.exact)
  }
}
