import StoreDiagnostics
import StoreCore
import StoreMigration
import StoreModelReader

extension Workspace {
  /// What a command has to migrate.
  ///
  /// - Parameters:
  ///   - target: the version to get to; nil for the bundle's current one.
  ///   - via: the versions to pass, where the user chooses.
  ///   - migrations: the folder of definitions, where one was named.
  ///   - use: what is about to be done to the store.
  /// - Throws: `DiscoveryError`, `StoreLayoutError`, `ModelBundleError`, `MigrationPathError`, what reading
  ///   a model or a definition on the path throws.
  func migration(
    to target: String?, via: [String], migrations: FilePath?, before use: Store.Access
  ) throws -> RequestedMigration {
    let (store, source, bundle) = try findToMigrate(before: use, takesNewer: target != nil)
    let definitions = try DefinitionFolder.find(
      of: bundle, in: bundle.migrationsFolder(named: migrations))
    return try RequestedMigration(
      store, from: source, to: target, via: via, definitions: definitions)
  }
}
