public import StoreModel

/// Rows of one type that a request has read, each once, with what stands at the other end of their relationships.
///
/// It is filled by one thread, and does not change when others see it.
@usableFromInline
class RowTable: @unchecked Sendable {
  final var links: [RowLinks] = []

  init() {}

  /// The rows themselves and all that was read with them are equal.
  func isEqual(_ row: Int, to otherRow: Int, of other: RowTable) -> Bool { false }
}

/// Rows of a type.
@usableFromInline
final class TypedRowTable<Object: StoredObject>: RowTable, @unchecked Sendable {
  @usableFromInline var rows: [Stored<Object>] = []

  @usableFromInline
  override init() {}

  override func isEqual(_ row: Int, to otherRow: Int, of other: RowTable) -> Bool {
    guard let other = other as? TypedRowTable<Object>, rows[row] == other.rows[otherRow],
      links.count == other.links.count
    else { return false }
    return zip(links, other.links).allSatisfy { $0.isEqual(row, to: otherRow, of: $1) }
  }
}

extension RowLinks {
  fileprivate func isEqual(_ row: Int, to otherRow: Int, of other: RowLinks) -> Bool {
    let (own, others) = (ends.rows(of: row), other.ends.rows(of: otherRow))
    return relationship == other.relationship && own.count == others.count
      && zip(own, others).allSatisfy {
        table.isEqual(Int($0), to: Int($1), of: other.table)
      }
  }
}

extension RowLinks.Ends {
  /// The rows at the other end, in their order.
  func rows(of row: Int) -> ArraySlice<Int32> {
    switch self {
    case .toOne(let rows): rows[row] < 0 ? [] : rows[row...row]
    case .toMany(let starts, let members): members[Int(starts[row])..<Int(starts[row + 1])]
    }
  }
}
