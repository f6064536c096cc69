package import SQLiteAccess

/// Rows of a source entity that become rows of a target entity, as far as Core Data's own tables
/// have to know of it.
package struct EntityMove: Hashable, Sendable {
  package var source: String
  package var target: String
  /// What is added to every row's `Z_PK`; nil where rows keep their keys. It is asked after the rows
  /// were moved, so it must not depend on them.
  package var keyOffset: SQL?
  /// What the target's properties were in the source, where that is not what their names say: nothing
  /// for one that is new, several for a composite of several.
  package var properties: [String: Set<String>]

  package init(
    from source: String, to target: String, keyOffset: SQL? = nil,
    properties: [String: Set<String>] = [:]
  ) {
    self.source = source
    self.target = target
    self.keyOffset = keyOffset
    self.properties = properties
  }
}
