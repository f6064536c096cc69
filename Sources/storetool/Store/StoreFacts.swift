import Foundation
import StoreLayout
import RecordFormats
import SQLiteAccess
import StoreVerification
import StoreModel
import StoreModelReader
import StorePredicate

/// The facts of `info`.
enum StoreFacts {
  /// - Parameters:
  ///   - own: the model that the store itself has, where no other is known.
  ///   - isWhole: values of the app's metadata as they are, however long; else a line for each.
  static func page(
    of store: StoreDescription, _ model: Workspace.Identification, _ own: OwnModel? = nil,
    isWhole: Bool = false
  ) -> Facts {
    var page = FactObject()
    page.add("store", store.file.path)
    page.add("uuid", store.metadata?.uuid)
    addModel(model, to: &page)
    if let own {
      page.add("ownModel", own.found.origin == .carried ? "carried" : "inferred from the tables")
      page.add("carriedModelFault", own.fault)
    }
    page.add("modelIdentifiers", store.metadata?.modelIdentifiers ?? [])
    page.add("frameworkVersion", store.metadata?.frameworkVersion)
    addFile(store, to: &page)
    page.add("rows", store.entities.reduce(0) { $0 + $1.rowCount })
    page.add("indexes", store.indexCount)
    page.add("triggers", store.triggers.count)
    page.add("modelCacheBytes", store.modelCacheBytes)
    page.add("historyTransactions", store.history?.transactions)
    page.add("historyChanges", store.history?.changes)
    page.add("externalFolder", store.externalFolder)
    page.add("remarks", store.remarks.map(\.sentence) + store.findings.map(\.sentence))
    if case .unknown(_, let gap?) = model {
      page.add("versionDifferences", VersionGapFacts.differences(of: gap))
    }
    if let inferred = own?.inferred {
      page.add("unexplained", inferred.unexplained.map(\.text))
      page.add("guesses", inferred.guesses.map(facts))
    }
    page.add("entities", store.entities.map(facts))
    page.add("joinTables", store.joinTables.map(facts))
    page.add("otherTables", store.otherTables.map(facts))
    page.add("metadata", metadata(of: store, isWhole: isWhole))
    return .page(page.value)
  }

  private static func addModel(_ model: Workspace.Identification, to page: inout FactObject) {
    switch model {
    case .known(let found):
      page.add("model", found.bundle.path)
      page.add("version", found.version.name)
      page.add("configuration", found.configuration?.name)
    case .unknown(let reason, let gap):
      page.add("model", String?.none)
      page.add("version", String?.none)
      page.add("modelUnknownBecause", reason)
      if let gap { VersionGapFacts.add(gap, to: &page) }
    }
  }

  private static func addFile(_ store: StoreDescription, to page: inout FactObject) {
    page.add("journal", store.file.journal == .wal ? "wal" : "rollback")
    page.add("bytes", store.file.size)
    page.add("walBytes", store.file.walSize)
    page.add("pageSize", store.pages.size)
    page.add("pages", store.pages.count)
    page.add("freePages", store.pages.freeCount)
    page.add("autoVacuum", store.pages.autoVacuum)
    page.add("encoding", store.pages.encoding)
  }

  private static func facts(of entity: StoreDescription.EntityFacts) -> FactObject {
    var object = FactObject()
    object.add("number", entity.number)
    object.add("name", entity.name)
    object.add("parent", entity.parentNumber == 0 ? nil : entity.parentNumber)
    object.add("rows", entity.rowCount)
    object.add("highestKey", entity.highestKey)
    object.add("table", entity.table)
    object.add("hash", entity.hash?.base64)
    return object
  }

  private static func facts(of guess: Guess) -> FactObject {
    var object = FactObject()
    object.add("part", guess.part?.path)
    object.add("guess", guess.text)
    return object
  }

  private static func facts(of table: StoreDescription.TableFacts) -> FactObject {
    var object = FactObject()
    object.add("name", table.name)
    object.add("rows", table.rowCount)
    return object
  }

  /// In characters; a value of metadata that is longer is cut in what people read.
  private static let longest = 200

  /// What the app itself has put into the metadata.
  private static func metadata(of store: StoreDescription, isWhole: Bool) -> [FactObject] {
    (store.metadata?.applicationEntries ?? [:]).sorted { $0.key < $1.key }.map { key, value in
      var object = FactObject()
      object.add("key", key)
      object.add("type", value.typeName)
      let summary = JSONValue(.string(value.summary)).cut(to: longest)
      object.add("value", isWhole ? value.json : summary)
      return object
    }
  }
}

extension PropertyList {
  /// One line; long data by its length.
  fileprivate var summary: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .data(let bytes): bytes.count <= 48 ? Array(bytes).base64 : "\(bytes.count) bytes"
    case .date(let date): ISODate.text(date.timeIntervalSinceReferenceDate) ?? "\(date)"
    case .array(let items): "[" + items.map(\.summary).joined(separator: ", ") + "]"
    case .dictionary(let items):
      "{"
        + items.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.summary)" }
        .joined(separator: ", ") + "}"
    }
  }
}

extension PropertyList {
  fileprivate var typeName: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .boolean: "boolean"
    case .data: "data"
    case .date: "date"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }

  /// Whole; data as base64, a date as ISO 8601.
  fileprivate var json: JSONValue {
    switch self {
    case .string(let text): JSONValue(.string(text))
    case .integer(let number): JSONValue(.number("\(number)"))
    case .real(let number): JSONValue(number.isFinite ? .number("\(number)") : .string("\(number)"))
    case .boolean(let flag): JSONValue(.boolean(flag))
    case .data(let bytes): JSONValue(.string(Array(bytes).base64))
    case .date: JSONValue(.string(summary))
    case .array(let items): JSONValue(.array(items.map(\.json)))
    case .dictionary(let items):
      JSONValue(
        .object(items.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value.json) }))
    }
  }
}

extension ModelPart {
  fileprivate var path: String {
    switch self {
    case .property(let name, let owner), .index(let name, let owner): "\(owner).\(name)"
    case .entity(let name), .template(let name), .configuration(let name), .composite(let name):
      name
    }
  }
}
