package import SQLiteAccess
package import StoreModel
import StorePredicate

extension FetchCompiler {
  /// ORDER BY, with a blank before it.
  ///
  /// SQLite's own order is Core Data's here: NULL comes first ascending, text goes by code point. What
  /// the keys do not tell apart is ordered too, so that pages of a limit and an offset never overlap:
  /// rows by primary key, groups by their keys, distinct rows by their values.
  package mutating func order(isDistinct: Bool) throws(CheckError) -> SQL {
    var terms: [SQL] = []
    let isGrouped = !request.groupBy.isEmpty
    part = .sort
    for key in sortKeys {
      if isGrouped { try requireGrouped(key.expression, named: "the sort key") }
      compiler.allowsAggregates = isGrouped
      let value = try compiler.operand(key.expression).sql
      terms.append(key.isAscending ? value : "\(value) DESC")
    }
    compiler.allowsAggregates = false
    if isGrouped {
      for key in request.groupBy { terms.append(try compiler.operand(key).sql) }
    } else if isDistinct {
      terms += list.columns.map { Self.ordinal($0.source) }
    } else if !foldsEverything {
      if let place = try memberPlace { terms.append(place) }
      terms.append(compiler.root.key)
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(", "))"
  }

  /// The section sorts first; a first sort key that is the section says in which direction.
  package var sortKeys: [CheckedRequest.SortKey] {
    guard let sections = request.sections, request.sort.first?.expression != sections else {
      return request.sort
    }
    return [.init(expression: sections, isAscending: true)] + request.sort
  }

  /// One row comes out, so there is nothing to order.
  private var foldsEverything: Bool {
    guard case .values(let values) = request.result else { return false }
    return values.contains { folds($0.expression) }
  }

  /// A result column by its place, counted from 1.
  private static func ordinal(_ source: ResultColumn.Source) -> SQL {
    switch source {
    case .value(let index, _), .objectID(let index, _), .objectIDs(let index):
      SQL(segments: [.text("\(index + 1)")])
    }
  }
}
