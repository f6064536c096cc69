/// A set of paths of keys.
struct KeyTree {
  /// A path ends here: it takes the whole value.
  private(set) var isWhole = false
  private var children: [String: KeyTree] = [:]

  /// What the paths through a key go on with; nil when there are none.
  subscript(key: String) -> KeyTree? { children[key] }

  mutating func insert(_ path: ArraySlice<String>) {
    guard let key = path.first else {
      isWhole = true
      return
    }
    children[key, default: KeyTree()].insert(path.dropFirst())
  }
}
