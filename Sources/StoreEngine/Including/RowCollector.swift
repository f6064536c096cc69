public import SQLiteAccess

/// Records the links of rows while they are read, and decides which rows to keep.
@usableFromInline
struct RowCollector {
  /// How the rows are linked to the rows for which they are read.
  enum Role {
    /// They are the request's rows.
    case own
    /// They are destinations of to-one relationships. The statement may also return other rows, which aren't kept.
    case destinations
    /// A cell of each row contains the key of its owner.
    case members
    /// A join table contains the owners, so a row may occur several times.
    case pairs
  }

  private let role: Role
  /// The row numbers of the destinations, or of the members' owners, by key. Empty for the request's rows.
  private(set) var index: KeyIndex
  /// The indexes of the cells with the owner's key and, in an ordered relationship, with the member's position.
  private let ownerCell: Int
  private let placeCell: Int?
  /// The indexes of the cells with keys of to-one relationships.
  private let references: [Int]
  /// The key of each row.
  private(set) var keys: [Int64] = []
  /// The keys of to-one relationships: a list for each of the cells in `references`.
  private(set) var referredKeys: [[Int64]]
  private(set) var pairs: [MemberPair] = []
  /// For a join table, the row numbers by key.
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

  /// Records the key and the links of a row.
  ///
  /// - Parameter cells: the cells of the row. The first one is its key.
  /// - Returns: whether to keep the row. A row that is read several times is kept once.
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
  /// The key in the cell, or `noKey` for NULL and for other values, which a damaged store can contain.
  fileprivate var key: Int64 { kind == .integer ? integer : KeyIndex.noKey }
}
