import SQLiteAccess
import StoreLayout
import StoreModel
import StoreDiagnostics

/// The plan for one target table: which columns and rows can remain in the source's table, and which change.
struct TablePlan {
  let target: TableLayout
  let transfers: [TransferCompiler]
  /// The source table that can be changed in place if `fitsInPlace`; nil if there is none.
  let base: DatabaseSchema.Table?

  /// The base's columns that become columns of the target: the name in the base, by the name in the target.
  private(set) var carriers: [String: String] = [:]
  /// The target's columns that are added to the base.
  private(set) var added: [ColumnLayout] = []
  /// The base's columns that the target doesn't have.
  private(set) var dropped: [String] = []
  /// The numbers of source entities whose rows don't remain in the base, because they are dropped or moved.
  private(set) var deletedEntities: [Int64] = []
  /// Whether the declared type of a column changes.
  private(set) var changesDeclaration = false
  /// The update in place; nil without a base.
  private(set) var update: TableUpdate?

  init(
    _ target: TableLayout, transfers: [TransferCompiler], base: DatabaseSchema.Table?,
    source: StoreLayout
  ) {
    self.target = target
    self.transfers = transfers
    self.base = base
    guard let base else { return }
    carry(from: base)
    let taken = Set(carriers.values)
    dropped = base.columns.map(\.name).filter { !taken.contains($0) }
    added = target.columns.filter { carriers[$0.name] == nil }
    let kept = Set(transfers.map(\.transfer.source.number))
    deletedEntities = source.entities.filter {
      $0.table == base.name && !$0.isAbstract && !kept.contains($0.number)
    }.map(\.number)
    update = TableUpdate(self, on: base)
  }

  private mutating func carry(from base: DatabaseSchema.Table) {
    let declared = ExactDictionary(
      base.columns.map { ($0.name, $0.declaredType) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<ExactText> = []
    func claim(_ column: String, _ old: String) {
      guard declared[old] != nil, taken.insert(ExactText(old)).inserted else { return }
      carriers[column] = old
    }
    for fixed in Self.fixed { claim(fixed, fixed) }
    // Columns that keep their names are claimed first, so that other columns can't claim them.
    for isSameName in [true, false] {
      for column in target.columns where carriers[column.name] == nil {
        let wanted = transfers.compactMap { transfer -> String? in
          guard let value = transfer.values[column.name], let old = value.sourceColumn else {
            return nil
          }
          // A computed value with another declared type is written to a new column, which doesn't require a rebuild of
          // the table.
          let isComputed = if case .column = value { false } else { true }
          return isComputed && declared[old] != column.declaredType ? nil : old
        }
        // Claim the source column that most transfers use, or the first of several equally frequent columns.
        let counts = Dictionary(wanted.map { ($0, 1) }, uniquingKeysWith: +)
        let best = wanted.filter { !taken.contains(ExactText($0)) }.max {
          (counts[$0] ?? 0) < (counts[$1] ?? 0)
        }
        guard let best, !isSameName || best.isExactly(column.name) else { continue }
        if let old = declared[best], old.uppercased() != column.declaredType.uppercased() {
          changesDeclaration = true
        }
        claim(column.name, best)
      }
    }
    for column in target.columns where carriers[column.name] == nil {
      guard let old = declared[column.name], !taken.contains(ExactText(column.name)),
        old.uppercased() == column.declaredType.uppercased(),
        transfers.allSatisfy({ $0.values[column.name] == nil })
      else { continue }
      // No entity with rows has a property in this column, so its old values don't matter.
      claim(column.name, column.name)
    }
  }

  /// The new value of a column for the rows of one source entity.
  struct Change: Hashable {
    var column: String
    /// The entity number in the source.
    var entity: Int64
    var value: SQL
    var need: Need

    /// The rows whose value must be changed: all rows, or rows in which a column of the base is NULL or not NULL.
    enum Need: Hashable {
      case always
      case whereNull(String)
      case whereNotNull(String)
    }
  }

  /// The changes of an update in place. Their columns have the names of the target.
  var changes: [Change] {
    transfers.flatMap { transfer -> [Change] in
      var changes = transfer.values.compactMap { column, value -> Change? in
        self.change(of: column, to: value, transfer)
      }
      if transfer.transfer.source.number != transfer.transfer.target.number {
        changes.append(
          Change(
            column: FixedColumn.entity, entity: transfer.transfer.source.number,
            value: .integer(transfer.transfer.target.number), need: .always))
      }
      return changes.sorted { $0.column < $1.column }
    }
  }

  private func change(of column: String, to value: ColumnValue, _ transfer: TransferCompiler)
    -> Change?
  {
    let carrier = carriers[column]
    let need: Change.Need
    switch value {
    case .null:
      guard let carrier else { return nil }
      need = .whereNotNull(carrier)
    case .column(let old):
      guard old != carrier else { return nil }
      need = .always
    case .local(_, let old?, onlyForNull: true) where old == carrier: need = .whereNull(old)
    case .local, .remote: need = .always
    }
    return Change(
      column: column, entity: transfer.transfer.source.number, value: value.sql, need: need)
  }

  var fitsInPlace: Bool {
    guard let base else { return false }
    return !changesDeclaration && !base.hasAutomaticIndex && takesRowsAsTheyAre
  }

  /// Whether each row of the target is one row of the base, with the same key and values that don't depend on other
  /// rows. No source entity may be filtered or duplicated.
  var takesRowsAsTheyAre: Bool {
    guard let base else { return false }
    let sources = transfers.map(\.transfer.source.name)
    return Set(sources).count == sources.count
      && transfers.allSatisfy { transfer in
        transfer.transfer.source.table == base.name && transfer.transfer.offset == 0
          && transfer.transfer.mapping.filter == nil
          && !transfer.values.values.contains(where: \.isRemote)
      }
  }
}
