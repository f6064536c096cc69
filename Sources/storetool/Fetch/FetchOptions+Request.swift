import StoreLayout
import PredicateSQL
import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreCore

/// A request, and the texts of its parts as the user wrote them. Errors show positions in these texts.
struct PreparedRequest {
  var request: StoreFetchRequest
  var texts = RequestTexts()

  /// Returns the SELECT statement of the request.
  ///
  /// - Throws: `CheckErrors` for an invalid request.
  func query(in store: OpenStore) throws -> CompiledQuery {
    try request.sql(in: store.layout, storeUUID: store.store.metadata.uuid, texts: texts)
  }
}

extension FetchOptions {
  /// Returns the request with the options. The predicate of `--where` is combined with the predicate of the request by
  /// AND. Each of the other options replaces a part of the request.
  ///
  /// - Throws: `DiagnosticError` with a caret below the option's text, or `CheckErrors` for an invalid variable in
  ///   `--having`.
  func refine(_ request: StoreFetchRequest, in model: DataModel) throws -> PreparedRequest {
    var refined = PreparedRequest(request: request)
    if let (text, predicate) = try condition.predicate() {
      if refined.request.predicate == nil {
        (refined.request.predicate, refined.texts.predicate) = (predicate, text)
      } else {
        (refined.request.refinement, refined.texts.refinement) = (predicate, text)
      }
    }
    if let sort = try list(sort, .sort, "--sort", &refined.texts.sort) {
      refined.request.sort = sort.map {
        SortKey($0.expression, isAscending: !$0.isDescending)
      }
    }
    if let limit { refined.request.limit = limit }
    if let offset { refined.request.offset = offset }
    if let groupBy = try list(groupBy, .plain, "--group-by", &refined.texts.groupBy) {
      refined.request.groupBy = groupBy.map(\.expression)
    }
    if let having {
      let text = PredicateText(having, context: "in --having")
      refined.texts.having = text
      refined.request.having = try text.predicate()
    }
    if let sections {
      let entries = try list([sections], .plain, "--sections", &refined.texts.sections)
      refined.request.sections = entries?.first?.expression
    }
    if distinct { refined.request.isDistinct = true }
    if excludesSubentities { refined.request.includesSubentities = false }
    if count { refined.request.result = .count }
    if ids { refined.request.result = .objectIDs }
    if let written = try list(select, .select, "--select", &refined.texts.select) {
      let entity = try model.requireEntity(named: request.entity)
      let entries = written.namingAll(model.storedAttributes(of: entity).map(\.name))
      if let repeated = entries.firstRepeated { throw repeatedName(repeated, in: refined.texts) }
      try select(entries, in: &refined)
    }
    return refined
  }

  /// Sets the values that the request selects. With `--count`, the request doesn't select values, but `--having` can
  /// use their names.
  ///
  /// - Throws: With `--count`, `CheckErrors` if `--having` contains a variable that isn't the name of a selected value.
  private func select(
    _ entries: [ListedExpression], in refined: inout PreparedRequest
  ) throws(CheckErrors) {
    let values = entries.map { SelectedValue($0.expression, name: $0.name) }
    guard count else { return refined.request.result = .values(values) }
    let columns = SelectedColumns(values)
    refined.request.having = try refined.request.having
      .map { having throws(CheckErrors) in
        try columns.resolve(having, in: refined.texts.having)
      }
    // A sort key that is the name of a selected value can't be resolved without this value. The count doesn't depend on
    // the order.
    refined.request.sort.removeAll { key in
      guard case .keyPath(let base, let keys) = key.expression.kind, base.kind == .selfObject,
        keys.count == 1, case .key(let name)? = keys.first?.kind
      else { return false }
      return values.contains { $0.name == name }
    }
  }

  private func list(
    _ lists: [String], _ style: ListedExpression.Style, _ option: String,
    _ source: inout PredicateText?
  ) throws -> [ListedExpression]? {
    guard let text = try ListOption.text(of: lists, style, option) else { return nil }
    source = text
    return try text.list(as: style)
  }

  /// Returns the error for a duplicate name. A row in JSON can contain a name only once.
  private func repeatedName(
    _ entry: ListedExpression, in texts: RequestTexts
  ) -> DiagnosticError {
    let diagnostic = DiagnosticMessage(
      .error, "select.repeated-name", "'\(entry.name)' is selected twice", cause: .usage,
      help: ["omit one, or rename it: \(entry.text) AS other"])
    return DiagnosticError(
      texts.select?.locate(diagnostic, at: entry.expression.range.range) ?? diagnostic)
  }
}

extension ListedExpression {
  /// The name of the value in the output: the name after AS, otherwise the text of the expression.
  fileprivate var name: String { alias ?? text }
}

extension [ListedExpression] {
  /// Returns the list in which `*` is replaced by `attributes`, without attributes whose name is also the name of
  /// another entry.
  fileprivate func namingAll(_ attributes: [String]) -> [ListedExpression] {
    let named = Set(filter { !$0.isAllAttributes }.map(\.name))
    return flatMap { entry in
      guard entry.isAllAttributes else { return [entry] }
      return attributes.filter { !named.contains($0) }.map { name in
        var attribute = entry
        attribute.text = name
        // The name of a composite's element is a path, such as `address.city`.
        let steps = name.split(separator: ".").map { KeyPathStep(.key(String($0))) }
        attribute.expression.kind = .keyPath(base: FormatExpression(.selfObject), steps)
        return attribute
      }
    }
  }

  fileprivate var firstRepeated: ListedExpression? {
    var names: Set<String> = []
    return first { !names.insert($0.name).inserted }
  }
}
