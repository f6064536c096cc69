import StoreDiagnostics

/// The order of merged elements.
enum SequenceMerge {
  /// Returns the elements `kept` in the order of our side or, if only their side has moved elements, of their side.
  /// Then inserts elements that only the other side has, each after the element that precedes it there.
  ///
  /// - Parameter precedes: returns whether the first of two elements precedes the second. It is used if both sides
  ///   inserted an element at the same position.
  static func order<Key: Hashable>(
    base: [Key], ours: [Key], theirs: [Key], kept: Set<Key>, precedes: (Key, Key) -> Bool
  ) -> [Key] {
    let isTheirs = isMoved(base, theirs) && !isMoved(base, ours)
    let (first, second) = isTheirs ? (theirs, ours) : (ours, theirs)
    var result = first.filter(kept.contains)
    var known = Set(result)
    let shared = Set(second)
    var previous: Key?
    for key in second where kept.contains(key) {
      defer { previous = key }
      guard known.insert(key).inserted else { continue }
      var position = previous.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      // If `precedes` doesn't define an order, our element is first.
      while position < result.count, case let other = result[position], !shared.contains(other),
        isTheirs ? precedes(other, key) : !precedes(key, other)
      {
        position += 1
      }
      result.insert(key, at: position)
    }
    return result
  }

  private static func isMoved<Key: Hashable>(_ base: [Key], _ side: [Key]) -> Bool {
    let (old, new) = (Set(base), Set(side))
    return base.filter(new.contains) != side.filter(old.contains)
  }
}

/// Merges text that only affects the format of the file, such as white space. The texts are compared byte by byte. If
/// both sides changed the text, ours is used.
func mergedLayout(_ base: String?, _ ours: String, _ theirs: String) -> String {
  mergedLayout(base.map(ExactText.init), ExactText(ours), ExactText(theirs)).text
}

/// Merges a value that only affects the format of the file, such as its line ends. The value is never a conflict. If
/// both sides changed it, or without a common ancestor, ours is used.
func mergedLayout<Value: Equatable>(_ base: Value?, _ ours: Value, _ theirs: Value) -> Value {
  base.flatMap { merged($0, ours, theirs) } ?? ours
}

/// Merges the text between tags, which is never a conflict. If both sides changed its comments, the comments of both
/// sides are kept.
func mergedText(_ base: String?, _ ours: String, _ theirs: String) -> String {
  func words(_ text: String?) -> String { (text ?? "").filter { !$0.isWhitespace } }
  let (before, own, other) = (words(base), words(ours), words(theirs))
  if own.isExactly(other) || other.isExactly(before) { return mergedLayout(base, ours, theirs) }
  guard !own.isExactly(before), let last = ours.lastIndex(where: { !$0.isWhitespace }) else {
    return theirs
  }
  return ours[...last] + theirs
}

/// Returns the value of a three-way merge, or nil if both sides changed it differently.
func merged<Value: Equatable>(_ base: Value, _ ours: Value, _ theirs: Value) -> Value? {
  if ours == theirs || theirs == base { return ours }
  return ours == base ? theirs : nil
}
