/// Which entities of a tree declare the columns of one group, by their order.
///
/// Core Data sorts the columns of a group by the number of the entity that declares them, attributes before to-one
/// relationships, then by name (docs/formats/store-layout.md, "Column order"). So a name that precedes the one before it
/// begins another entity's columns, or an entity's relationships. Of all assignments the ones that contradict the least
/// are looked at, and a column has an owner where all of these agree.
struct OwnersByOrder {
  struct Column {
    /// Without the number that a collision adds.
    var name: String
    var isKey: Bool
    /// The entity nearest to all that are known to have the property: it, or an ancestor, declares it.
    var lowest: Int64?
  }

  private struct State {
    var entity: Int64
    var isKey: Bool
  }

  private enum Cost {
    /// One level above the lowest entity, or a sub-entity without a reason.
    static let strange = 10
    static let disorder = 200
    /// Of two entities that could go on, the one that was.
    static let change = 1
    static let impossible = 1 << 30
  }

  /// More would take long; no table at hand has as many.
  private static let most = (columns: 600, entities: 60)

  private let forest: EntityForest
  private let columns: [Column]
  private let states: [State]

  /// - Parameter members: the entities of the table, ascending.
  init(_ columns: [Column], members: [Int64], _ forest: EntityForest) {
    self.forest = forest
    self.columns = columns
    states = members.flatMap { [State(entity: $0, isKey: false), State(entity: $0, isKey: true)] }
  }

  /// By the index of the column; nil where several could be it.
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

  /// - Parameters:
  ///   - from: the index of a column's state; states ascend.
  ///   - to: that of the next column.
  private func cost(from: Int, to: Int, isAscending: Bool) -> Int {
    let isInOrder = from < to || (from == to && isAscending)
    let isSame = states[from].entity == states[to].entity
    return (isInOrder ? 0 : Cost.disorder) + (isSame ? 0 : Cost.change)
  }
}
