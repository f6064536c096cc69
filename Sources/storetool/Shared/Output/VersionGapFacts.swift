import StoreLayout

/// The facts about a store that no version at hand wrote.
enum VersionGapFacts {
  static func add(_ gap: VersionGap, to page: inout FactObject) {
    page.add("closestVersion", gap.closest)
    page.add("writtenBy", gap.verdict.rawValue)
    page.add("advice", CommandWording().sentence(for: gap.remedy))
  }

  /// A record for each entity that is not as in the closest version.
  static func differences(of gap: VersionGap) -> [FactObject] {
    gap.differences.map { difference in
      var object = FactObject()
      object.add("entity", difference.entity)
      object.add("difference", difference.words)
      object.add("asIn", gap.asIn[difference.entity])
      return object
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
