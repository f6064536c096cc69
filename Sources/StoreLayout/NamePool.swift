/// The names that one table, or one database, has given away.
///
/// Who comes second gets a number: `ZNAME`, `ZNAME1`, `ZNAME2`.
package struct NamePool {
  private var taken: Set<String> = []

  package init(_ taken: some Sequence<String> = []) {
    self.taken = Set(taken)
  }

  package mutating func claim(_ base: String) -> String {
    var name = base
    var suffix = 0
    while !taken.insert(name).inserted {
      suffix += 1
      name = "\(base)\(suffix)"
    }
    return name
  }
}

extension String {
  /// Whether this is `base`, byte by byte, or `base` with the number that a collision adds.
  func isName(_ base: String) -> Bool {
    utf8.starts(with: base.utf8)
      && utf8.dropFirst(base.utf8.count).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}
