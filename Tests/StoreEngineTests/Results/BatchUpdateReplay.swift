import StoreEngine

/// A view's batch update, as UIKit documents it. Deletions use positions of the old list, from the end. Insertions use
/// positions of the new list, from the start. Updated rows are reloaded last.
struct BatchUpdateReplay {
  private(set) var list: ShownList
  private let new: ShownList

  /// Returns the row that the view's data source shows at a position of the new list.
  private func row(_ path: ResultIndexPath) -> ShownList.Row {
    new.sections[path.section].rows[path.row]
  }

  init(_ old: ShownList, _ difference: ResultDifference, asking new: ShownList) {
    list = old
    self.new = new
    var moved: [ResultIndexPath: ShownList.Row] = [:]
    for move in difference.moves {
      moved[move.to] = old.sections[move.from.section].rows[move.from.row]
    }
    let leaving = difference.deletions + difference.moves.map(\.from)
    for update in difference.updates {
      list.sections[update.from.section].rows[update.from.row].text = row(update.to).text
    }
    for path in leaving.sorted().reversed() {
      list.sections[path.section].rows.remove(at: path.row)
    }
    for section in difference.deletedSections.sorted().reversed() {
      list.sections.remove(at: section)
    }
    for section in difference.insertedSections.sorted() {
      list.sections.insert(.init(name: new.sections[section].name, rows: []), at: section)
    }
    let coming =
      difference.insertions.map { ($0, row($0)) }
      + difference.moves.map { move in
        var row = moved[move.to] ?? row(move.to)
        if move.isUpdated { row.text = self.row(move.to).text }
        return (move.to, row)
      }
    for (path, row) in coming.sorted(by: { $0.0 < $1.0 }) {
      list.sections[path.section].rows.insert(row, at: path.row)
    }
  }
}

extension ResultDifference {
  /// Returns the messages of the exceptions that UIKit would throw.
  func refusals(from old: ShownList, to new: ShownList) -> [String] {
    var refusals: [String] = []
    let froms = deletions + moves.map(\.from) + updates.map(\.from)
    let tos = insertions + moves.map(\.to) + updates.map(\.to)
    if Set(froms).count < froms.count { refusals.append("two changes of one old index path") }
    if Set(tos).count < tos.count { refusals.append("two changes to one new index path") }
    for move in moves {
      if deletedSections.contains(move.from.section) {
        refusals.append("cannot move a row from a deleted section")
      }
      if insertedSections.contains(move.to.section) {
        refusals.append("cannot move a row into a newly inserted section")
      }
    }
    for update in updates where deletedSections.contains(update.from.section) {
      refusals.append("attempt to reload item in a deleted section")
    }
    if old.sections.count - deletedSections.count + insertedSections.count != new.sections.count {
      refusals.append("invalid number of sections")
    }
    refusals += countRefusals(from: old, to: new)
    return refusals
  }

  /// UIKit requires that the number of rows in an existing section after the update equals the number before, plus or
  /// minus the inserted, deleted and moved rows.
  private func countRefusals(from old: ShownList, to new: ShownList) -> [String] {
    let staying = old.sections.indices.filter { !deletedSections.contains($0) }
    let successors = new.sections.indices.filter { !insertedSections.contains($0) }
    return zip(staying, successors).compactMap { before, after in
      let leaving = (deletions + moves.map(\.from)).filter { $0.section == before }.count
      let coming = (insertions + moves.map(\.to)).filter { $0.section == after }.count
      let expected = old.sections[before].rows.count - leaving + coming
      return expected == new.sections[after].rows.count ? nil : "invalid number of rows"
    }
  }
}
