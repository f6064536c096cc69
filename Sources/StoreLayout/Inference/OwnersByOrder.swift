/// Infers the entities that declare the columns of a group, such as adjacent texts, from the columns' order.
///
/// Core Data sorts the columns of a group by the number of the declaring entity, attributes before to-one
/// relationships, then by name (docs/formats/store-layout.md, "Column order"). A name that precedes the previous one
/// therefore begins the columns of another entity, or the relationships of the same entity. Of all assignments of
/// entities to columns, the assignments with the lowest cost are compared. If they all assign the same entity to a
/// column, that entity is its owner.
struct OwnersByOrder {
  struct Column {
    /// The name without the number that Core Data adds after a name collision.
    var name: String
    var isKey: Bool
    /// The nearest common ancestor of all entities that are known to have the property. This entity or one of its
    /// ancestors declares the property.
    var lowest: Int64?
  }

  /// The entity that is assigned to a column, and whether the column is a key.
  private struct State {
    var entity: Int64
    var isKey: Bool
  }

  private enum Cost {
    /// The cost of each level between `Column.lowest` and the assigned entity or, if `lowest` is nil, of an entity that
    /// isn't the root.
    static let strange = 10
    /// The cost of two successive columns that aren't in Core Data's order.
    static let disorder = 200
    /// The cost of assigning another entity than to the previous column.
    static let change = 1
    static let impossible = 1 << 30
  }

  /// The maximum numbers of columns and entities. More would take too long, and no known table has as many.
  private static let most = (columns: 600, entities: 60)

  private let forest: EntityForest
  private let columns: [Column]
  private let states: [State]

  /// - Parameter members: the entities of the table in ascending order.
  init(_ columns: [Column], members: [Int64], _ forest: EntityForest) {
    self.forest = forest
    self.columns = columns
    states = members.flatMap { [State(entity: $0, isKey: false), State(entity: $0, isKey: true)] }
  }

  /// Returns the owner of each column, in the order of the columns. An owner is nil if several are possible. All are
  /// nil if there are too many columns or entities.
  func owners() -> [Int64?] {
    guard columns.count <= Self.most.columns, states.count <= 2 * Self.most.entities,
      !columns.isEmpty
    else { return columns.map { _ in nil } }
    let own = columns.map { column in states.map { cost(of: column, in: $0) } }
    let steps = zip(columns, columns.dropFirst()).map(isAscending)
    var forth = own
    for index in columns.indices.dropFirst() {
      for state in states.indices {
        forth[index][state] +=
          states.indices.lazy.map { before in
            forth[index - 1][before] + cost(from: before, to: state, isAscending: steps[index - 1])
          }.min() ?? 0
      }
    }
    var back = own
    for index in columns.indices.dropLast().reversed() {
      for state in states.indices {
        back[index][state] +=
          states.indices.lazy.map { after in
            back[index + 1][after] + cost(from: state, to: after, isAscending: steps[index])
          }.min() ?? 0
      }
    }
    return columns.indices.map { index in
      let costs = states.indices.map { forth[index][$0] + back[index][$0] - own[index][$0] }
      let least = costs.min() ?? 0
      let best = Set(states.indices.filter { costs[$0] == least }.map { states[$0].entity })
      return best.count == 1 ? best.first : nil
    }
  }

  private func isAscending(_ left: Column, _ right: Column) -> Bool {
    left.name.lowercased().precedes(right.name.lowercased())
  }

  private func cost(of column: Column, in state: State) -> Int {
    guard column.isKey == state.isKey else { return Cost.impossible }
    guard let lowest = column.lowest else {
      return forest.isRoot(state.entity) ? 0 : Cost.strange
    }
    guard forest.isKind(lowest, of: state.entity) else { return Cost.impossible }
    let levels = forest.ancestors(of: lowest).count - forest.ancestors(of: state.entity).count
    return levels * Cost.strange
  }

  /// Returns the cost of two successive columns.
  ///
  /// - Parameters:
  ///   - from: the index of the first column's state in `states`, which are in Core Data's order.
  ///   - to: the index of the second column's state.
  ///   - isAscending: whether the names of the columns are in ascending order.
  private func cost(from: Int, to: Int, isAscending: Bool) -> Int {
    let isInOrder = from < to || (from == to && isAscending)
    let isSame = states[from].entity == states[to].entity
    return (isInOrder ? 0 : Cost.disorder) + (isSame ? 0 : Cost.change)
  }
}
