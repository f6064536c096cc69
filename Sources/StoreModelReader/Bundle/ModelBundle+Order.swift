package import StoreModel

extension ModelBundle {
  /// - Parameter migrations: between which versions there is a definition.
  package func order(by migrations: [VersionJump]) -> VersionOrder {
    VersionOrder(
      of: versions.map(\.name), current: currentVersion?.name, migrations: migrations)
  }
}
