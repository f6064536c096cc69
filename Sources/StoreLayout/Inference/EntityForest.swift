import SQLiteAccess
import StoreDiagnostics

/// The entities of a store and their hierarchy in `Z_PRIMARYKEY`. Cycles are cut. Entities that can't be used are in
/// `unexplained` instead.
struct EntityForest {
  struct Node {
    var number: Int64
    var name: String
    /// The `Z_NAME`, which is the old name of a renamed entity.
    var storedName: String
    /// The number of the parent, or nil for a root.
    var parent: Int64?
    /// The table of the root.
    var table: String
  }

  private(set) var nodes: [Int64: Node] = [:]
  /// The numbers in ascending order.
  private(set) var numbers: [Int64] = []
  private(set) var unexplained: [UnexplainedPart] = []
  private var parents: Set<Int64> = []
  private var members: [String: [Int64]] = [:]
  private var ancestry: [Int64: [Int64]] = [:]

  /// The maximum number of ancestors of an entity, as in the reader of models.
  private static let deepest = 100
  /// The maximum number of entities. All known models have fewer.
  private static let most = 1000

  /// - Parameter hashed: the names of the entities whose version hashes are in the metadata.
  init(_ schema: StoreSchema, hashed: Set<String>) {
    var rows = usableRows(of: schema.primaryKeys)
    let names = Self.newNames(of: rows, hashed: hashed, in: schema.database)
    for (number, name) in names { rows[number]?.name = name }
    cutCircles(&rows, in: schema.database)
    plant(rows, in: schema.database)
    numbers = nodes.keys.sorted()
    parents = Set(nodes.values.compactMap(\.parent))
    for number in numbers { members[table(of: number), default: []].append(number) }
  }

  private mutating func usableRows(of rows: [PrimaryKeyRow]) -> [Int64: Node] {
    var usable: [Int64: Node] = [:]
    var names: Set<String> = []
    for row in rows where (1..<HistoryEntity.first).contains(row.number) {
      let reason: UnexplainedPart.Reason? =
        !row.name.isIdentifier
        ? .unusableName
        : usable.count >= Self.most
          ? .tooManyEntities : names.insert(row.name).inserted ? nil : .duplicateName
      guard let reason else {
        usable[row.number] = Node(
          number: row.number, name: row.name, storedName: row.name,
          parent: row.parentNumber == 0 ? nil : row.parentNumber, table: "")
        continue
      }
      leaveOut(row.number, row.name, reason)
    }
    return usable
  }

  private mutating func leaveOut(_ number: Int64, _ name: String, _ reason: UnexplainedPart.Reason)
  {
    unexplained.append(
      UnexplainedPart(name: "entity \(number) '\(name.prefix(200))'", reason: reason))
  }

  /// Returns the new names of renamed entities, by number. A migration can leave the old name in `Z_PRIMARYKEY`,
  /// whereas the metadata contains the new one. The new name of a root is recognized by its table. The new name of a
  /// subentity is recognized only if a single old and a single new name remain.
  private static func newNames(
    of rows: [Int64: Node], hashed: Set<String>, in database: DatabaseSchema
  ) -> [Int64: String] {
    let old = rows.values.filter { !hashed.contains($0.name) }.sorted { $0.number < $1.number }
    var new = hashed.subtracting(rows.values.map(\.name)).filter(\.isIdentifier)
    guard !old.isEmpty, !new.isEmpty, old.count < rows.count else { return [:] }
    var names: [Int64: String] = [:]
    for node in old where node.parent == nil {
      let fitting = new.filter { database.hasTable(StoredName.table(ofRoot: $0)) }
      guard !database.hasTable(StoredName.table(ofRoot: node.name)), fitting.count == 1,
        let name = fitting.first
      else { continue }
      names[node.number] = name
      new.remove(name)
    }
    let left = old.filter { names[$0.number] == nil }
    if left.count == 1, new.count == 1, left[0].parent != nil { names[left[0].number] = new.first }
    return names
  }

  /// Makes one entity of each cycle a root, and also each entity whose parent is missing.
  private func cutCircles(_ rows: inout [Int64: Node], in database: DatabaseSchema) {
    var sound: Set<Int64> = []
    for number in rows.keys.sorted() {
      var path: [Int64] = []
      var next: Int64? = number
      while let current = next, !sound.contains(current) {
        if rows[current] == nil, let last = path.last {
          rows[last]?.parent = nil
          break
        }
        if let start = path.firstIndex(of: current) {
          let circle = path[start...].sorted()
          let root = circle.first { member in
            database.hasTable(StoredName.table(ofRoot: rows[member]?.name ?? ""))
          }
          rows[root ?? current]?.parent = nil
          break
        }
        path.append(current)
        next = rows[current]?.parent
      }
      sound.formUnion(path)
    }
  }

  private mutating func plant(_ rows: [Int64: Node], in database: DatabaseSchema) {
    var roots: [String: Int64] = [:]
    for number in rows.keys.sorted() {
      guard var node = rows[number] else { continue }
      var ancestors: [Int64] = []
      var next = node.parent
      while let parent = next, ancestors.count <= Self.deepest {
        ancestors.append(parent)
        next = rows[parent]?.parent
      }
      guard ancestors.count <= Self.deepest else {
        leaveOut(number, node.name, .tooDeep)
        continue
      }
      let root = ancestors.last ?? number
      node.table = StoredName.table(ofRoot: rows[root]?.name ?? "")
      guard database.tables[node.table]?.holdsEntityRows == true,
        roots[node.table, default: root] == root
      else {
        leaveOut(number, node.name, .noTable(node.table))
        continue
      }
      roots[node.table] = root
      nodes[number] = node
      ancestry[number] = ancestors
    }
  }
}

extension EntityForest {
  subscript(number: Int64) -> Node? { nodes[number] }

  func name(_ number: Int64) -> String { nodes[number]?.name ?? "" }

  func table(of number: Int64) -> String { nodes[number]?.table ?? "" }

  /// Returns the ancestors, beginning with the parent.
  func ancestors(of number: Int64) -> [Int64] { ancestry[number] ?? [] }

  func root(of number: Int64) -> Int64 { ancestors(of: number).last ?? number }

  func isLeaf(_ number: Int64) -> Bool { !parents.contains(number) }

  func isRoot(_ number: Int64) -> Bool { nodes[number]?.parent == nil }

  var roots: [Int64] { numbers.filter(isRoot) }

  /// Returns all entities of a table in ascending order.
  func members(ofTable table: String) -> [Int64] { members[table] ?? [] }

  func isKind(_ number: Int64, of ancestor: Int64) -> Bool {
    number == ancestor || ancestors(of: number).contains(ancestor)
  }

  /// Returns the nearest common ancestor of the entities, which can be one of them. Returns nil if they have different
  /// roots, or if there are no entities.
  func nearestCommon(of numbers: [Int64]) -> Int64? {
    guard let first = numbers.first else { return nil }
    let path = [first] + ancestors(of: first)
    let positions = Dictionary(uniqueKeysWithValues: zip(path, path.indices))
    var common = 0
    for number in numbers.dropFirst() {
      let met = ([number] + ancestors(of: number)).lazy.compactMap { positions[$0] }.first
      guard let met else { return nil }
      common = max(common, met)
    }
    return path[common]
  }
}

extension DatabaseSchema.Table {
  fileprivate var holdsEntityRows: Bool { FixedColumn.ofEveryRow.allSatisfy(hasColumn) }
}

extension String {
  /// Whether a model can contain the name.
  var isIdentifier: Bool {
    guard let first, utf8.count <= 200, first.isLetter || first == "_" else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
