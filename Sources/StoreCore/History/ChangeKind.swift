/// `ZCHANGETYPE`
package enum ChangeKind: Int64, CaseIterable, Sendable {
  case insert = 0
  case update = 1
  case delete = 2

  package var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}
