package import StoreDiagnostics

/// A store that none of the versions at hand wrote: how far it is from the closest one.
package struct VersionGap: Hashable, Sendable {
  /// What the hashes tell about the store.
  package enum Verdict: String, Hashable, Sendable {
    /// It does not say which model it has.
    case noHashes = "no hashes"
    /// There is no version to compare it with.
    case noModel = "no model"
    /// It has no entity in common with any version.
    case otherModel = "another model"
    /// It has entities that no version knows: a later one wrote it.
    case newer
    /// Its entities are known, but not with these definitions.
    case different
  }

  /// The candidate with the fewest differences, as in a sentence: `'Todo 2'`; nil without candidates.
  package let closest: String?
  /// By entity name.
  package let differences: [EntityDifference]
  /// The candidate that has an entity of the store exactly so, where the closest one does not.
  package let asIn: [String: String]
  package let verdict: Verdict
  /// What the store's metadata call the version that wrote it; mostly nothing.
  package var identifiers: [String] = []

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
    // Of another model even a small one is far. Later versions are the likelier ones where two are
    // equally close.
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

  /// Other models may have entities of the same names, so only versions like the closest one count.
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

  /// By entity name.
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
  /// A line of `differences`: `Item: in both, with different hashes; as in 'Todo 3'`.
  package func sentence(for difference: EntityDifference) -> String {
    difference.sentence + (asIn[difference.entity].map { "; as in \($0)" } ?? "")
  }

  /// `'7'`, or `'7', 'Reader 2'` where models were merged.
  var quotedIdentifiers: String { identifiers.map { "'\($0)'" }.joined(separator: ", ") }

  /// What to do about it.
  package var remedy: Remedy {
    switch verdict {
    case .noHashes: "it carries no version hashes, so nobody can tell which version wrote it"
    case .noModel: .model(.name(.noModel))
    case .otherModel: .model(.name(.otherModel))
    case .newer: .model(.name(.newerVersion))
    case .different: .model(.name(.editedVersion))
    }
  }
}

extension VersionCandidate {
  /// Whether both have an entity of the same name.
  fileprivate func isRelated(to other: [String: [UInt8]]) -> Bool {
    !hashes.keys.exact.isDisjoint(with: other.keys.exact)
  }
}
