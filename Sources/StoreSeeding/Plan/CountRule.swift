import StoreModel

/// How many members the model wants a row to have in a to-many relationship.
struct CountRule: Hashable, Sendable {
  let least: Int
  let most: Int
  /// An optional one may be empty whatever its minimum.
  let mayBeEmpty: Bool

  /// What asks for nothing.
  static let none = CountRule(least: 0, most: .max, mayBeEmpty: true)

  private init(least: Int, most: Int, mayBeEmpty: Bool) {
    (self.least, self.most, self.mayBeEmpty) = (least, most, mayBeEmpty)
  }

  /// - Parameter relationship: nil for none, which asks for nothing.
  init(_ relationship: Relationship?) {
    guard let relationship, relationship.isToMany else {
      self = .none
      return
    }
    // Core Data takes an empty one that is not optional for a missing value.
    least = max(relationship.minimumCount ?? 0, relationship.isOptional ? 0 : 1)
    most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil } ?? .max
    mayBeEmpty = relationship.isOptional
  }

  var isNone: Bool { least == 0 && most == .max }

  /// How many owners, the first ones, can share `count` members so that none has too few.
  func owners(sharing count: Int, of owners: Int) -> Int {
    guard mayBeEmpty, least > 0 else { return owners }
    return min(owners, count / least)
  }

  /// So many members as that number of owners takes.
  func room(of owners: Int) -> Int {
    let (room, overflow) = owners.multipliedReportingOverflow(by: most)
    return overflow ? .max : room
  }
}
