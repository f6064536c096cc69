/// How many rows differ, and in what.
package struct ComparisonSummary: Hashable, Sendable {
  package var entities: [EntityCounts] = []
  package var leftOut: [LeftOut] = []

  package struct EntityCounts: Hashable, Sendable {
    package var entity: String
    package var matching: RowMatching
    package var oldRows = 0
    package var newRows = 0
    package var added = 0
    package var removed = 0
    package var changed = 0
    /// Rows whose key lacks a value: those of the older store count as removed, those of the newer as added.
    package var withoutKey = 0
    /// In how many rows a property differs, in the order of the properties.
    package var properties: [PropertyCount] = []

    package var differences: Int { added + removed + changed }
  }

  package struct PropertyCount: Hashable, Sendable {
    package var property: String
    package var changed: Int
  }

  package var differences: Int { entities.reduce(0) { $0 + $1.differences } }
}
