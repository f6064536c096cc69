public import SQLiteAccess

/// Notes of each row that is read what ties it to other rows, and tells whether it is wanted.
@usableFromInline
struct RowCollector {
  /// How the rows are tied to those that they are read for.
  enum Role {
    /// They are the request's own.
    case own
    /// To-one relationships lead to some of them.
    case destinations
    /// Each names its owner in a cell.
    case members
    /// The same, out of a join table: a row may come more than once.
    case pairs
  }

  private let role: Role
  /// Of destinations: their own keys. Of members: their owners' keys.
  private(set) var index: KeyIndex
  /// The cell with the owner's key, and that with the place among its members where they are ordered.
  private let ownerCell: Int
  private let placeCell: Int?
  /// The cells that refer to other rows.
  private let references: [Int]
  /// Of each row.
  private(set) var keys: [Int64] = []
  /// What each row refers to, one list for each of the cells.
  private(set) var referredKeys: [[Int64]]
  private(set) var pairs: [MemberPair] = []
  /// Of a join table: the rows so far.
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

  /// - Parameter cells: of a row that begins with its key.
  /// - Returns: whether it is a row to be kept; one is kept once.
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
  /// A damaged store may have anything in the column of a key.
  fileprivate var key: Int64 { kind == .integer ? integer : KeyIndex.noKey }
}
