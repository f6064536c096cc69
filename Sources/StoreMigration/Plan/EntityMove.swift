package import StoreEngine

/// Rows of a source entity that become rows of a target entity, as far as Core Data's own tables
/// have to know of it.
package struct EntityMove: Hashable, Sendable {
  package var source: String
  package var target: String
  /// What is added to every row's `Z_PK`; nil where rows keep their keys. It is asked after the rows
  /// were moved, so it must not depend on them.
  package var keyOffset: SQL?

  package init(from source: String, to target: String, keyOffset: SQL? = nil) {
    self.source = source
    self.target = target
    self.keyOffset = keyOffset
  }
}
