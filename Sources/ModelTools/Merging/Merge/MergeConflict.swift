/// A side of a merge.
package enum MergeSide: Hashable, Sendable {
  case ours, theirs

  var other: MergeSide { self == .ours ? .theirs : .ours }
}

/// What would be wrong with the merged model.
struct InvalidModel: Hashable, Sendable {
  var reason: String
  /// What the reason is about, and one side has removed.
  var removed: [Removal] = []

  struct Removal: Hashable, Sendable {
    var side: MergeSide
    var path: [ElementKey]
  }
}

/// What a merge leaves to a person.
struct MergeConflict: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Both changed a value, each to another one; nil is an absent one.
    case value(attribute: String, base: String?, ours: String?, theirs: String?)
    /// One removed what the other changed.
    case removed(by: MergeSide, change: String)
    /// Both changed the columns of an index, or the same constraint.
    case parts(String, ours: String, theirs: String)
    /// Two files without a common past: only one of them has it.
    case only(MergeSide)
    /// Both named another current version, and which one is later is not known.
    case current(ours: String?, theirs: String?, reason: String)
    /// The result would be no valid model.
    case invalid(InvalidModel, ours: String, theirs: String)
  }

  var path: [ElementKey]
  var kind: Kind
  /// The text that a caret points at, on the side that has it.
  var mark: String
}
