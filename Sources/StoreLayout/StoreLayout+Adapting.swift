package import StoreModel

extension StoreLayout {
  /// The layout of a store that exists, where it made other choices than we would: entity numbers,
  /// the name of a reflexive join table, the numbers of colliding join columns, companions of to-one
  /// columns that old frameworks left out. Columns are matched by name, never by position.
  package init(model: Model, configuration: Configuration? = nil, in schema: StoreSchema) {
    self.init(LayoutBuilder(model.limited(to: configuration), schema: schema))
  }
}
