import StoreLayout

/// The facts about a store that no version at hand wrote.
struct VersionGapFacts: Encodable {
  let closestVersion: String?
  let writtenBy, advice: String

  struct Difference: Encodable {
    let entity, difference: String
    let asIn: String?
  }

  init(_ gap: VersionGap) {
    (closestVersion, writtenBy) = (gap.closest, gap.verdict.rawValue)
    advice = CommandWording().sentence(for: gap.remedy)
  }

  /// A record for each entity that is not as in the closest version.
  static func differences(of gap: VersionGap) -> [Difference] {
    gap.differences.map {
      Difference(entity: $0.entity, difference: $0.words, asIn: gap.asIn[$0.entity])
    }
  }
}

extension EntityDifference {
  fileprivate var words: String {
    switch self {
    case .onlyInStore: "only in the store"
    case .onlyInModel: "only in the model"
    case .changed: "hash differs"
    }
  }
}
