import StoreDiagnostics
import StoreModel
import StorePredicate

extension CompiledModelDecoder {
  /// A template of the model, or the request of a fetched property.
  mutating func decodeRequest(
    _ object: KeyedArchive.Object, name: String, entityName given: String?, context: String
  ) throws(KeyedArchiveError) -> FetchRequestTemplate {
    try require(object, ArchivedClass.fetchRequest)
    try count(1)
    guard let entity = try entityName(ArchivedKey.entity, of: object) ?? given,
      entities[entity] != nil
    else { throw object.missing(ArchivedKey.entity, expected: "an entity of the model") }
    let flags = try object.integer(ArchivedKey.fetchRequestFlags) ?? RequestFlags.usual
    if flags & ~RequestFlags.known != 0 {
      keepOpaque("the flags \(flags & ~RequestFlags.known) are unknown", context: context)
    }
    var template = FetchRequestTemplate(
      name: name, entity: entity, limit: try number(ArchivedKey.fetchLimit, of: object),
      batchSize: try number(ArchivedKey.batchSize, of: object),
      includesSubentities: flags & RequestFlags.includesSubentities != 0,
      includesPropertyValues: flags & RequestFlags.includesPropertyValues != 0,
      returnsObjectsAsFaults: flags & RequestFlags.returnsObjectsAsFaults != 0,
      returnsDistinctResults: flags & RequestFlags.returnsDistinctResults != 0,
      includesPendingChanges: flags & RequestFlags.includesPendingChanges != 0,
      resultType: try resultType(of: object))
    if let predicate = try object.object(ArchivedKey.predicate) {
      let text = PredicateText(try expressions.predicate(predicate).format, context: context)
      template.predicateText = text
      do throws(DiagnosticError) {
        template.predicate = try text.predicate()
      } catch {
        template.faults = error.diagnostics
      }
    }
    try noteRest(of: object, context: context)
    return template
  }

  private func number(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Int {
    let number = try object.integer(key) ?? 0
    guard let limit = Int(exactly: number), limit >= 0 else {
      throw KeyedArchiveError(
        .unexpected("\(number)"), at: object.place(of: key), expected: "a number of rows")
    }
    return limit
  }

  private func resultType(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FetchRequestTemplate.ResultType {
    let key = ArchivedKey.resultType
    let code = try object.integer(key) ?? 0
    guard let type = Int(exactly: code).flatMap(FetchRequestTemplate.ResultType.init) else {
      throw KeyedArchiveError(
        .unexpected("\(code)"), at: object.place(of: key), expected: "the number of a result type")
    }
    return type
  }

  /// What model XML can't say, and requests made by code can.
  private mutating func noteRest(
    of object: KeyedArchive.Object, context: String
  ) throws(KeyedArchiveError) {
    if try number(ArchivedKey.fetchOffset, of: object) != 0 {
      keepOpaque("there is an offset", context: context)
    }
    for (key, name) in RequestFlags.restKeys {
      guard let value = try object.object(key) else { continue }
      if value.isArray(try value.className), try value.members.isEmpty { continue }
      keepOpaque("there are \(name)", context: context)
    }
  }
}

/// The bits of a request's flags.
///
/// All that archives show is 30, the value of a request that nobody has altered: the four options that are on
/// by default. Which bit is which is assumed, in the order of the options in the class's documentation.
enum RequestFlags {
  static let returnsDistinctResults: Int64 = 1
  static let includesSubentities: Int64 = 2
  static let includesPropertyValues: Int64 = 4
  static let returnsObjectsAsFaults: Int64 = 8
  static let includesPendingChanges: Int64 = 16
  static let usual: Int64 = 30
  static let known: Int64 = 31

  fileprivate static let restKeys = [
    (ArchivedKey.sortDescriptors, "sort descriptors"),
    (ArchivedKey.valuesToFetch, "properties to fetch"),
    (ArchivedKey.valuesToGroupBy, "properties to group by"),
    (ArchivedKey.havingPredicate, "conditions for groups"),
    (ArchivedKey.prefetching, "key paths to prefetch"),
  ]
}
