import Synchronization

/// Which fields a record gives; records of one input mostly give the same.
struct GivenFields: Hashable, Sendable {
  /// Indexes of the plan's fields, ascending.
  var fields: [Int]
  /// A required property that it does not give and that has no default: no new row can do without.
  var missing: String?
}

/// The sets of given fields that an input has shown, numbered. One thread adds, another looks up.
final class GivenFieldSets: Sendable {
  private let sets = Mutex<[GivenFields]>([])

  /// The most different sets of keys that one input may have.
  static let limit = Int(UInt16.max)

  func number(of given: GivenFields) -> UInt16 {
    sets.withLock { sets in
      if let known = sets.firstIndex(of: given) { return UInt16(known) }
      // The last one is overwritten only by inputs with 65,536 different sets of keys.
      guard sets.count < Self.limit else { return UInt16(Self.limit - 1) }
      sets.append(given)
      return UInt16(sets.count - 1)
    }
  }

  subscript(number: UInt16) -> GivenFields { sets.withLock { $0[Int(number)] } }
}
