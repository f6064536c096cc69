/// Members that are told apart as `==` does, found without a look at each.
struct MemberSet {
  /// What equal members have in common; those that cannot be hashed so share one.
  private enum Bucket: Hashable {
    case number(Double)
    case text(String)
    case object(Int64)
    case other
  }

  private let asStored: Bool
  private var buckets: [Bucket: [EvaluatedValue]] = [:]

  init(_ members: [EvaluatedValue] = [], asStored: Bool) {
    self.asStored = asStored
    for member in members { insert(member) }
  }

  func contains(_ member: EvaluatedValue) -> Bool {
    buckets[Self.bucket(of: member)]?.contains(
      member, folding: TextFolding([]), asStored: asStored) ?? false
  }

  /// False when the member was there already.
  @discardableResult
  mutating func insert(_ member: EvaluatedValue) -> Bool {
    guard !contains(member) else { return false }
    buckets[Self.bucket(of: member), default: []].append(member)
    return true
  }

  private static func bucket(of member: EvaluatedValue) -> Bucket {
    switch member {
    case .value(.string(let text)): .text(text)
    case .value(.objectID(let id)): .object(id.primaryKey)
    case .value(let value): value.number.map { .number($0.real) } ?? .other
    case .object(let object): object.objectID.map { .object($0.primaryKey) } ?? .other
    case .list, .set, .dictionary: .other
    }
  }
}
