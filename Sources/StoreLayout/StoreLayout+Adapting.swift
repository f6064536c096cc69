package import StoreModel

extension StoreLayout {
  /// The layout of a store that exists, where it made other choices than we would: entity numbers,
  /// the name of a reflexive join table, the numbers of colliding join columns, companions of to-one
  /// columns that old frameworks left out. Columns are matched by name, never by position.
  package init(model: Model, configuration: Configuration? = nil, in schema: StoreSchema) {
    self.init(LayoutBuilder(model.limited(to: configuration), schema: schema))
    risks += absences(in: schema)
  }

  /// Tables and columns that the model needs and the store lacks: someone has altered it by hand.
  private func absences(in schema: StoreSchema) -> [String] {
    let needed =
      tables.map { ($0.name, $0.columns) } + joinTables.map { ($0.name, $0.columns) }
    return needed.flatMap { table, columns -> [String] in
      guard schema.hasTable(table) else { return ["the store has no table \(table)"] }
      return columns.filter { !schema.hasColumn($0.name, in: table) }.map {
        "the store's table \(table) has no column \($0.name)"
      }
    }
  }
}
