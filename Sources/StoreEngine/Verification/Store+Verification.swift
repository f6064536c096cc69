extension Store {
  /// Looks for everything in the store that is not as it should be. Nothing is changed.
  ///
  /// - Parameter layout: of the model that wrote the store; without it only what the file itself
  ///   tells is looked at.
  /// - Returns: the findings, SQLite's first.
  /// - Throws: `StoreError`
  package func verify(in layout: StoreLayout?) throws -> [Finding] {
    try read { connection in
      let damage = try connection.integrityFindings()
      // What a damaged file says of its rows would be wrong, too.
      guard damage.isEmpty else { return damage }
      let schema = try connection.schema()
      let file = StoreFileChecks(schema)
      let name = naming(layout, schema)
      var findings = metadata.wrongSums + file.missingTables(of: layout)
      for check in file.checks + (layout?.checks(in: schema) ?? []) {
        guard let found = try check.ask(connection, name: name) else { continue }
        findings.append(found.settled)
      }
      guard let layout else { return findings }
      let external = ExternalFileCheck(
        layout: layout, schema: schema, folder: externalDataFolder)
      return try findings + external.findings(connection, name: name)
    }
  }

  /// Repairs what can be repaired without loss, in one transaction: optional references that lead
  /// nowhere become NULL, pairs that do are removed, counters are raised. The history is written.
  ///
  /// - Returns: what was repaired.
  /// - Throws: `StoreError`
  package func repair(in layout: StoreLayout) throws -> [Finding] {
    try write { connection in
      let schema = try connection.schema()
      let changes = try ChangeRecorder(in: layout, on: connection)
      let name = naming(layout, schema)
      var repaired: [Finding] = []
      for check in StoreFileChecks(schema).checks + layout.checks(in: schema) {
        guard let repair = check.repair, let found = try check.ask(connection, name: name) else {
          continue
        }
        if let rows = repair.changed, let property = repair.property {
          try changes.recordUpdates(of: rows, properties: [property])
        }
        try connection.run(repair.statement)
        repaired.append(found.settled)
      }
      try changes.finish()
      return repaired
    }
  }

  /// What `repair` would repair now.
  ///
  /// - Throws: `StoreError`
  package func repairable(in layout: StoreLayout) throws -> [Finding] {
    try read { connection in
      let schema = try connection.schema()
      let name = naming(layout, schema)
      let checks = StoreFileChecks(schema).checks + layout.checks(in: schema)
      return try checks.filter { $0.repair != nil }.compactMap {
        try $0.ask(connection, name: name)?.settled
      }
    }
  }

  private func naming(
    _ layout: StoreLayout?, _ schema: StoreSchema
  ) -> (_ entity: Int64, _ key: Int64) -> String {
    let names = Dictionary(schema.primaryKeys.map { ($0.number, $0.name) }) { first, _ in first }
    let uuid = metadata.uuid
    return { entity, key in
      let name = layout?.entity(numbered: entity)?.name ?? names[entity] ?? "\(entity)"
      return "x-coredata://\(uuid)/\(name)/p\(key)"
    }
  }
}

extension Finding {
  /// A counter's case is the key that is in use.
  fileprivate var settled: Finding {
    guard case .shortCounter(let counter, _) = kind else { return self }
    var finding = self
    finding.kind = .shortCounter(counter, highest: examples.first.flatMap { Int64($0) } ?? 0)
    finding.examples = []
    return finding
  }
}

extension Connection {
  /// SQLite's own check of the file.
  fileprivate func integrityFindings() throws(StoreError) -> [Finding] {
    try rows("PRAGMA integrity_check(20)").compactMap { row in
      guard let words = row.first?.text, words != "ok" else { return nil }
      return Finding(.integrity(words))
    }
  }
}
