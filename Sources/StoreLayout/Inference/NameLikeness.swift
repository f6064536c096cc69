/// How much the upper-case name of a to-one is like an entity's: `SENDER` and `User` nothing, `PARENTFOLDER` and
/// `Folder` much.
struct NameLikeness {
  private let whole: String
  /// `USERDEVICESTATE`, `DEVICESTATE`, `STATE`
  private let endings: [String]

  init(_ entity: String) {
    whole = entity.uppercased()
    endings = entity.camelCaseStarts.map { String(entity[$0...]).uppercased() }
      .filter { $0.count > 2 }
  }

  func score(of name: String) -> Int {
    if name == whole { return 200 }
    if endings.contains(name) { return 150 }
    let ending = endings.first(where: name.hasSuffix)
    if let ending { return 100 + min(ending.count, 40) }
    let beginning = endings.first(where: name.hasPrefix)
    if let beginning { return 60 + min(beginning.count, 30) }
    guard name.count > 3 else { return 0 }
    if whole.hasPrefix(name) { return 50 }
    if whole.contains(name) { return 30 }
    return endings.contains { $0.count > 3 && name.contains($0) } ? 20 : 0
  }

  /// Words that a relationship within one tree has.
  static func leadsToItsLike(_ name: String) -> Bool {
    ["PARENT", "CHILD", "SUPER", "NEXT", "PREVIOUS", "ORIGINAL", "MASTER", "ROOT"]
      .contains(where: name.contains)
  }
}

extension String {
  /// Where words begin.
  fileprivate var camelCaseStarts: [Index] {
    indices.filter { index in
      guard index > startIndex else { return true }
      let before = self[self.index(before: index)]
      let next = self.index(after: index)
      let isLast = next == endIndex
      return self[index].isUppercase
        && (!before.isUppercase || (!isLast && self[next].isLowercase))
    }
  }
}
