package import StoreDiagnostics
package import SQLiteAccess
package import StoreLayout
package import StoreModel

/// The properties of a new store that Core Data determines by the options of the app.
package struct NewStoreProperties: Hashable, Sendable {
  package var keepsHistory = false
  package var journal = DatabaseFile.Journal.wal
  /// A power of two from 512 to 65,536, in bytes.
  package var pageSize = 4096

  package init(
    keepsHistory: Bool = false, journal: DatabaseFile.Journal = .wal, pageSize: Int = 4096
  ) {
    self.keepsHistory = keepsHistory
    self.journal = journal
    self.pageSize = pageSize
  }
}

extension Store {
  /// A function that inserts rows into a new store. `store` is the UUID of the store.
  package typealias Filling = (Connection, StoreLayout, _ store: String) throws -> Void

  /// Creates a store for a model, or for one of its configurations. Returns notes about features of the model for which
  /// storetool's layout or version hash was never compared with a store of Core Data.
  ///
  /// - Parameters:
  ///   - uuid: the UUID of the store, or nil for a new one.
  ///   - fill: inserts rows before the store is renamed, or nil for an empty store.
  /// - Throws: `DatabaseError`, or an error of `fill`.
  package static func create(
    at path: LocalPath, for model: DataModel,
    configuration: StoreModel.ConfigurationDescription? = nil,
    uuid: String? = nil, properties: NewStoreProperties = NewStoreProperties(),
    filling fill: Filling? = nil
  ) throws -> [String] {
    let layout = StoreLayout(model: model, configuration: configuration)
    let fingerprint = ModelFingerprint(of: model, configuration: configuration)
    try create(
      at: path, layout: layout, metadata: StoreMetadata(for: fingerprint, uuid: uuid),
      properties: properties, carrying: model, filling: fill)
    return layout.risks
      + VersionHash.notes(on: layout.model).map {
        "\($0.message); the version hash of such a model was never compared with Core Data's, so check that the "
          + "app opens the store"
      }
  }

  /// Creates a store: one file without other files, by default in WAL mode. If it fails, no file remains.
  ///
  /// The store is created with another name and renamed in the last step, so that an incomplete store is never visible
  /// and an existing file is never overwritten.
  ///
  /// - Parameters:
  ///   - model: the model that the store contains in compiled form, or nil for none.
  ///   - filling: inserts rows before the store is renamed, or nil for an empty store.
  /// - Throws: `DatabaseError`, or an error of `filling`.
  package static func create(
    at path: LocalPath, layout: StoreLayout, metadata: StoreMetadata,
    properties: NewStoreProperties = NewStoreProperties(), carrying model: DataModel? = nil,
    filling: Filling? = nil
  ) throws {
    let draft = try NewFile(target: path)
    defer { draft.discard() }
    let database = try openDraft(draft)
    try database.use { connection in
      // The first two must run before the first table exists: https://www.sqlite.org/pragma.html#pragma_auto_vacuum
      // SQLite would ignore another size.
      try connection.define("PRAGMA page_size = \(value: .integer(Int64(properties.pageSize)))")
      try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
      if properties.journal == .wal { try connection.run("PRAGMA journal_mode = WAL") }
    }
    try database.write { connection in
      try connection.define(layout)
      try connection.setMetadata(metadata)
      if let model { try connection.makeModelCache(of: model) }
      if properties.keepsHistory {
        for statement in HistoryFormat.statements(tombstoneCount: layout.tombstoneCount) {
          try connection.define(statement)
        }
      }
      guard let filling else { return }
      guard let derived = DerivedValues(in: layout, storeUUID: metadata.uuid) else {
        return try filling(connection, layout, metadata.uuid)
      }
      try derived.keeping(on: connection) { try filling(connection, layout, metadata.uuid) }
    }
    // When the last connection is closed, SQLite moves the -wal to the file and deletes it.
    try database.close()
    try draft.publish()
  }
}

extension Connection {
  /// Creates the tables of a store, and the rows of `Z_PRIMARYKEY` with the counters of primary keys.
  package func define(_ layout: StoreLayout) throws(DatabaseError) {
    for statement in layout.statements { try define(statement) }
    for entity in layout.entities {
      try insertPrimaryKey(
        PrimaryKeyRow(
          number: entity.number, name: entity.name, parentNumber: entity.parentNumber))
    }
  }
}
