package import StoreLayout
import StoreModel
import SQLiteAccess

/// A write that can change the value of a derived attribute, and the rows whose value can change.
struct DerivationTrigger: Hashable {
  var table: String
  var event: WriteEvent
  /// A condition on the row before (`old`) and after (`new`) the write, or nil for all writes.
  var condition: SQL?
  /// A SELECT of the primary keys of the rows whose value can change.
  var keys: SQL
}

extension DerivedColumn {
  /// The writes after which the value must be computed again.
  func triggers(in layout: StoreLayout) -> [DerivationTrigger] {
    let own: [DerivationTrigger] =
      isTime
      ? [written(.insert, "new"), written(.update(savedColumns(in: layout)), "new")]
      : [written(.insert, "new")]
    var seen: Set<DerivationTrigger> = []
    return (own + paths.flatMap { triggers(of: $0, in: layout) })
      .filter { seen.insert($0).inserted }
  }

  /// Returns the columns from which the value is computed, including the columns of relationships.
  package func sources(in layout: StoreLayout) -> [(table: String, column: String)] {
    paths.flatMap { path -> [(table: String, column: String)] in
      let (steps, ending) = path.unfolded
      let route = DerivationRoute(steps, from: table, in: layout)
      let last = attributeColumn(ending, behind: steps, in: layout).map {
        (table: route?.tables.last ?? table, column: $0)
      }
      return (route?.columns ?? []) + [last].compactMap(\.self)
    }
  }

  private func attributeColumn(
    _ ending: ResolvedKeyPath.Ending, behind steps: [ResolvedKeyPath.Step], in layout: StoreLayout
  ) -> String? {
    guard case .attribute(_, let name) = ending else { return nil }
    return layout.entity(named: steps.last?.destination ?? entity)?.attributes[name]?.column
  }

  private func written(_ event: WriteEvent, _ row: String) -> DerivationTrigger {
    DerivationTrigger(
      table: table, event: event, keys: "SELECT \(.name(row, FixedColumn.primaryKey))")
  }

  /// Returns the columns that a save writes: all except those of derived attributes.
  private func savedColumns(in layout: StoreLayout) -> [String] {
    let derived = Set(
      layout.entities(in: table).flatMap { $0.attributes.values.filter(\.isDerived).map(\.column) })
    return layout.table(named: table)?.columns.map(\.name).filter { !derived.contains($0) } ?? []
  }

  private func triggers(of path: ResolvedKeyPath, in layout: StoreLayout) -> [DerivationTrigger] {
    let (steps, ending) = path.unfolded
    guard let route = DerivationRoute(steps, from: table, in: layout) else { return [] }
    var found = steps.indices.flatMap { route.triggers(ofStep: $0) }
    if let column = attributeColumn(ending, behind: steps, in: layout) {
      let (old, new) = (SQL.name("old", column), SQL.name("new", column))
      found.append(
        DerivationTrigger(
          table: route.tables[steps.count], event: .update([column]),
          condition: "\(old) IS NOT \(new)",
          keys: route.owners(of: "\(.name("new", FixedColumn.primaryKey))", atStep: steps.count)))
    }
    return found
  }
}

extension ResolvedKeyPath {
  /// All relationships of the path, including the relationships inside its collection operator, and the ending after
  /// the last one.
  fileprivate var unfolded: (steps: [Step], ending: Ending) {
    guard case .aggregate(_, let folded) = ending else { return (steps, ending) }
    return (steps + (folded?.steps ?? []), folded?.ending ?? .object)
  }
}

/// The tables and columns between a row and the values from which its derived attribute is computed.
private struct DerivationRoute {
  enum Link {
    /// A column of the row at the start of the link.
    case near(String)
    /// A column of the row at the end of the link.
    case far(String)
    case pair(table: String, near: String, far: String)
  }

  /// The tables in the order of the path. Each link connects a table with the next one.
  private(set) var tables: [String]
  private var links: [Link] = []

  init?(_ steps: [ResolvedKeyPath.Step], from table: String, in layout: StoreLayout) {
    tables = [table]
    for step in steps {
      guard let near = layout.entity(named: step.entity),
        let far = layout.entity(named: step.destination)
      else { return nil }
      if let column = near.toOne[step.relationship]?.column {
        links.append(.near(column))
      } else if let many = near.toMany[step.relationship] {
        switch many {
        case .column(let key): links.append(.far(key.column))
        case .joinTable(let join):
          links.append(
            .pair(table: join.table, near: join.sourceColumn, far: join.destinationColumn))
        }
      } else {
        return nil
      }
      tables.append(far.table)
    }
  }

  var columns: [(table: String, column: String)] {
    links.enumerated().flatMap { index, link -> [(table: String, column: String)] in
      switch link {
      case .near(let column): [(tables[index], column)]
      case .far(let column): [(tables[index + 1], column)]
      case .pair(let table, let near, let far): [(table, near), (table, far)]
      }
    }
  }

  /// Returns a SELECT of the keys of the rows in the first table from which the path leads to given rows in a later
  /// table.
  ///
  /// - Parameter keys: the keys of the given rows in `tables[step]`: values, or a SELECT.
  func owners(of keys: SQL, atStep step: Int) -> SQL {
    guard step > 0 else { return "SELECT \(keys)" }
    let near: SQL =
      switch links[step - 1] {
      case .near(let column):
        """
        SELECT \(name: FixedColumn.primaryKey) FROM \(name: tables[step - 1]) \
        WHERE \(name: column) IN (\(keys))
        """
      case .far(let column):
        """
        SELECT \(name: column) FROM \(name: tables[step]) \
        WHERE \(name: FixedColumn.primaryKey) IN (\(keys))
        """
      case .pair(let table, let nearColumn, let farColumn):
        "SELECT \(name: nearColumn) FROM \(name: table) WHERE \(name: farColumn) IN (\(keys))"
      }
    return step == 1 ? near : owners(of: near, atStep: step - 1)
  }

  /// The writes that change which rows a relationship of the path connects.
  func triggers(ofStep step: Int) -> [DerivationTrigger] {
    func trigger(
      _ table: String, _ event: WriteEvent, _ row: String, _ column: String, atStep step: Int
    ) -> DerivationTrigger {
      DerivationTrigger(
        table: table, event: event, keys: owners(of: "\(.name(row, column))", atStep: step))
    }
    let key = FixedColumn.primaryKey
    switch links[step] {
    case .near(let column):
      return [
        trigger(tables[step], .update([column]), "new", key, atStep: step),
        // A column can contain the key of a missing row, so that inserting or deleting that row changes the value.
        trigger(tables[step + 1], .insert, "new", key, atStep: step + 1),
        trigger(tables[step + 1], .delete, "old", key, atStep: step + 1),
      ]
    case .far(let column):
      return ends(of: column, in: tables[step + 1]).map {
        trigger(tables[step + 1], $0, $1, column, atStep: step)
      }
    case .pair(let table, let near, let far):
      return ends(of: near, in: table).map { trigger(table, $0, $1, near, atStep: step) }
        + [trigger(table, .update([far]), "new", near, atStep: step)]
    }
  }

  private func ends(of column: String, in table: String) -> [(WriteEvent, String)] {
    [
      (.insert, "new"), (.delete, "old"), (.update([column]), "old"), (.update([column]), "new"),
    ]
  }
}
