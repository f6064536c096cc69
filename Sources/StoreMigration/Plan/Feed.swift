import StoreLayout
import StoreModel

/// The rows of one source entity on their way into one target entity.
struct Feed: Hashable {
  let mapping: EntityMapping
  let source: EntityLayout
  let target: EntityLayout
  /// What is added to a row's key: 0 but where tables are merged or rows doubled.
  var offset: Int64 = 0
}

/// All feeds of a mapping, with the keys that their rows get.
struct Feeds {
  let all: [Feed]
  /// The highest key of each target table afterwards.
  private(set) var highestKeys: [String: Int64] = [:]

  /// Without a store: which way rows would go, whatever their keys.
  init(_ mapping: ModelMapping, from source: StoreLayout, to target: StoreLayout) {
    all = mapping.entities.compactMap { entity -> Feed? in
      guard let old = source.entity(named: entity.source), !old.isAbstract,
        let new = target.entity(named: entity.target)
      else { return nil }
      return Feed(mapping: entity, source: old, target: new)
    }
  }

  /// - Throws: `MigrationError.keysRunOut`
  init(
    _ mapping: ModelMapping, from source: StoreLayout, to target: StoreLayout,
    highestKeys known: [String: Int64]
  ) throws(MigrationError) {
    var feeds = Feeds(mapping, from: source, to: target).all
    for table in target.tables {
      let indexes = feeds.indices.filter { feeds[$0].target.table == table.name }
      guard let main = Self.mainTable(of: indexes.map { feeds[$0] }, root: table.root, known)
      else { continue }
      var highest = known[main] ?? 0
      var keeping: Set<String> = []
      for index in indexes {
        let feed = feeds[index]
        // The first feed of an entity from the main table keeps its keys.
        if feed.source.table == main, keeping.insert(feed.source.name).inserted { continue }
        feeds[index].offset = highest
        let (sum, overflows) = highest.addingReportingOverflow(known[feed.source.table] ?? 0)
        guard !overflows else { throw .keysRunOut(table: table.name) }
        highest = sum
      }
      highestKeys[table.name] = highest
    }
    all = feeds
  }

  /// The source table whose rows keep their keys: that of the root entity, else the one with the
  /// highest key.
  private static func mainTable(
    of feeds: [Feed], root: String, _ known: [String: Int64]
  ) -> String? {
    if let feed = feeds.first(where: { $0.target.name == root }) { return feed.source.table }
    return feeds.map(\.source.table).max {
      (known[$0] ?? 0, $1) < (known[$1] ?? 0, $0)
    }
  }

  func into(table: String) -> [Feed] { all.filter { $0.target.table == table } }

  func into(_ entity: EntityLayout) -> [Feed] {
    all.filter { entity.subtree.contains($0.target.number) }
  }

  func from(_ entity: EntityLayout) -> [Feed] { all.filter { $0.source.name == entity.name } }
}
