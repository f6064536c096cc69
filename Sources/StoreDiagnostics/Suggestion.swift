/// Finds the name that a misspelt one was meant to be.
public enum Suggestion {
  /// The nearest of `names` by edit distance, case ignored; nil when even that one is far.
  public static func nearest(to typed: String, among names: some Sequence<String>) -> String? {
    // Nobody mistypes a name of that length, and the distance takes as many steps as both have letters squared.
    guard typed.utf8.count <= lengthLimit else { return nil }
    let wanted = Array(typed.lowercased())
    // Any two names of one letter differ by one letter.
    let maximumDistance = wanted.count == 1 ? 0 : max(1, min(3, wanted.count / 2))
    var best: (name: String, distance: Int)?
    for name in names where name != typed && name.utf8.count <= lengthLimit {
      let distance = editDistance(wanted, Array(name.lowercased()))
      guard distance <= maximumDistance, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  private static let lengthLimit = 200

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(replace, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
