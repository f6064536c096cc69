public import SQLiteAccess

/// Records the references of each row, and decides whether the row is required.
@usableFromInline
struct RowCollector {
  /// The relation of the rows to the rows that they are read for.
  enum Role {
    /// The rows of the request.
    case own
    /// Destinations of to-one relationships, among other rows.
    case destinations
    /// Members whose owner is in a cell.
    case members
    /// Members from a join table, in which a row can occur several times.
    case pairs
  }

  private let role: Role
  /// For destinations: their keys. For members: the keys of their owners.
  private(set) var index: KeyIndex
  /// The cells with the owner's key and, if the members are ordered, the position.
  private let ownerCell: Int
  private let placeCell: Int?
  /// The cells that refer to other rows.
  private let references: [Int]
  /// The key of each row.
  private(set) var keys: [Int64] = []
  /// The referenced keys of all rows, one list for each cell.
  private(set) var referredKeys: [[Int64]]
  private(set) var pairs: [MemberPair] = []
  /// For a join table: the rows so far.
  private var known: [Int64: Int32] = [:]

  init(
    _ role: Role, _ index: KeyIndex = KeyIndex([], arePlaced: false), owner: Int = 0,
    place: Int? = nil, references: [Int]
  ) {
    self.role = role
    self.index = index
    ownerCell = owner
    placeCell = place
    self.references = references
    referredKeys = Array(repeating: [], count: references.count)
  }

  /// - Parameter cells: the cells of a row, which begin with its key.
  /// - Returns: whether the row must be kept. Each row is kept once.
  @usableFromInline
  mutating func take(_ cells: UnsafeMutablePointer<PackedRows.Cell>) -> Bool {
    let key = cells[0].integer
    let row = Int32(keys.count)
    switch role {
    case .own: break
    case .destinations:
      guard index[key] == KeyIndex.unplaced else { return false }
      index.place(key, at: row)
    case .members:
      guard let owner = index[cells[ownerCell].key] else { return false }
      pairs.append(MemberPair(owner: owner, member: row, place: place(in: cells)))
    case .pairs:
      guard let owner = index[cells[ownerCell].key] else { return false }
      let member = known[key]
      pairs.append(MemberPair(owner: owner, member: member ?? row, place: place(in: cells)))
      guard member == nil else { return false }
      known[key] = row
    }
    keys.append(key)
    for (index, cell) in references.enumerated() { referredKeys[index].append(cells[cell].key) }
    return true
  }

  private func place(in cells: UnsafeMutablePointer<PackedRows.Cell>) -> Int64 {
    placeCell.map { cells[$0].key } ?? KeyIndex.noKey
  }
}

extension PackedRows.Cell {
  /// The key. In a damaged store, the column can contain values of other types.
  fileprivate var key: Int64 { kind == .integer ? integer : KeyIndex.noKey }
}
