/// What a batch of links has done, or would do.
public struct LinkResult: Hashable, Sendable {
  /// Rows that match on the side of the entity that the relationship was named with, and among its destinations.
  public var matchedSources: Int
  public var matchedDestinations: Int
  /// Pairs of rows that were linked, or are not any more. Those that were as wanted already don't count.
  public var changed: Int
  /// Rows of each side that such pairs have.
  public var changedSources: Int
  public var changedDestinations: Int
  /// Pairs of matching rows that were not as wanted. Where a relationship is its own inverse, both directions count.
  public var newPairs: Int
  /// Links that ended because one of their rows can have one partner, and has got another one.
  public var replaced: Int
  /// Pairs that are one row twice.
  public var loops: Int

  public init(
    matchedSources: Int, matchedDestinations: Int, changed: Int = 0, changedSources: Int = 0,
    changedDestinations: Int = 0, newPairs: Int = 0, replaced: Int = 0, loops: Int = 0
  ) {
    self.matchedSources = matchedSources
    self.matchedDestinations = matchedDestinations
    self.changed = changed
    self.changedSources = changedSources
    self.changedDestinations = changedDestinations
    self.newPairs = newPairs
    self.replaced = replaced
    self.loops = loops
  }
}
