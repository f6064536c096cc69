import Foundation
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreEngine
import StoreLayout
import StoreModel
import StoreModelReader
import StorePredicate
import StoreVerification

/// The output of `info`.
struct StoreFacts: Encodable {
  let store: LocalPath
  let uuid: String?
  @Flattened var known: KnownModel?
  @Flattened var unknown: UnknownModel?
  @Flattened var own: OwnModelFacts?
  let modelIdentifiers: [String]
  let frameworkVersion: Int64?
  let journal: String
  let bytes: Int64
  let walBytes: Int64?
  let pageSize, pages, freePages, autoVacuum: Int64
  let encoding: String
  let rows, indexes: Int64
  let triggers: Int
  let modelCacheBytes, historyTransactions, historyChanges: Int64?
  let externalFolder: LocalPath?
  let remarks: [String]
  @OmittedIfNil var versionDifferences: [VersionGapFacts.Difference]?
  @OmittedIfNil var unexplained: [String]?
  @OmittedIfNil var guesses: [GuessFacts]?
  let entities: [EntityFacts]
  let joinTables, otherTables: [TableFacts]
  let metadata: [MetadataEntry]

  struct KnownModel: Encodable {
    let model: LocalPath
    let version: String
    let configuration: String?
  }

  struct UnknownModel: Encodable {
    var model, version: String?
    let modelUnknownBecause: String
    @Flattened var gap: VersionGapFacts?
  }

  struct OwnModelFacts: Encodable {
    let ownModel: String
    let carriedModelFault: String?
  }

  struct GuessFacts: Encodable {
    let part: String?
    let guess: String
  }

  struct EntityFacts: Encodable {
    let number: Int64
    let name: String
    let parent: Int64?
    let rows, highestKey: Int64
    let table, hash: String?
  }

  struct TableFacts: Encodable {
    let name: String
    let rows: Int64

    init(_ table: StoreDescription.TableFacts) {
      (name, rows) = (table.name, table.rowCount)
    }
  }

  struct MetadataEntry: Encodable {
    let key, type: String
    let value: JSONValue
  }

  /// - Parameters:
  ///   - own: The model that the store contains or that is inferred from its tables; nil if there is none, or if an
  ///     available version is used instead.
  ///   - isWhole: Whether values of the app's metadata are complete. Otherwise they are shortened, each on one line.
  init(
    of store: StoreDescription, _ model: Workspace.Identification, _ own: OwnModel? = nil,
    isWhole: Bool = false
  ) {
    (self.store, uuid) = (store.file.path, store.uuid)
    var gap: VersionGap?
    switch model {
    case .known(let found):
      known = KnownModel(
        model: found.bundle.path, version: found.version.name,
        configuration: found.configuration?.name)
      unknown = nil
    case .unknown(let reason, let found):
      gap = found
      known = nil
      unknown = UnknownModel(modelUnknownBecause: reason, gap: gap.map(VersionGapFacts.init))
    }
    self.own = own.map {
      OwnModelFacts(
        ownModel: $0.found.origin == .carried ? "carried" : "inferred from the tables",
        carriedModelFault: $0.fault)
    }
    modelIdentifiers = store.modelIdentifiers
    frameworkVersion = store.frameworkVersion
    journal = store.journal == .wal ? "wal" : "rollback"
    (bytes, walBytes) = (store.bytes, store.walBytes)
    (pageSize, pages, freePages) = (store.pages.size, store.pages.count, store.pages.freeCount)
    (autoVacuum, encoding) = (store.pages.autoVacuum, store.pages.encoding)
    rows = store.rowCount
    (indexes, triggers) = (store.indexCount, store.triggers.count)
    modelCacheBytes = store.modelCacheBytes
    historyTransactions = store.history?.transactions
    historyChanges = store.history?.changes
    externalFolder = store.externalFolder
    remarks = store.remarks.map(\.sentence) + store.findings.map(\.sentence)
    versionDifferences = gap.map(VersionGapFacts.differences)
    unexplained = own?.inferred?.unexplained.map(\.text)
    guesses = own?.inferred?.guesses.map { GuessFacts(part: $0.part?.path, guess: $0.text) }
    entities = store.entities.map {
      EntityFacts(
        number: $0.number, name: $0.name, parent: $0.parentNumber == 0 ? nil : $0.parentNumber,
        rows: $0.rowCount, highestKey: $0.highestKey, table: $0.table, hash: $0.hash?.base64)
    }
    joinTables = store.joinTables.map(TableFacts.init)
    otherTables = store.otherTables.map(TableFacts.init)
    metadata = Self.metadata(of: store, isWhole: isWhole)
  }

  /// The maximum number of characters of a metadata value in text for people.
  private static let longest = 200

  private static func metadata(of store: StoreDescription, isWhole: Bool) -> [MetadataEntry] {
    store.appMetadata.sorted { $0.key < $1.key }.map { key, value in
      let summary = JSONValue(.string(value.summary)).cut(to: longest)
      return MetadataEntry(
        key: key, type: value.typeName, value: isWhole ? value.json : summary)
    }
  }
}

extension MetadataValue {
  /// The value on one line. Data of more than 48 bytes is replaced by its length.
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

  /// The complete value, with data in base64, and a date in ISO 8601.
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
  var path: String {
    switch self {
    case .property(let name, let owner), .index(let name, let owner): "\(owner).\(name)"
    case .entity(let name), .template(let name), .configuration(let name), .composite(let name):
      name
    }
  }
}

/// The part of the output about a store whose model version isn't available: the closest version, a conclusion about
/// the version that wrote the store, and advice.
struct VersionGapFacts: Encodable {
  let closestVersion: String?
  let writtenBy, advice: String

  struct Difference: Encodable {
    let entity, difference: String
    let asIn: String?
  }

  init(_ gap: VersionGap) {
    (closestVersion, writtenBy) = (gap.closest, gap.verdict.rawValue)
    advice = CommandWording().sentence(for: gap.remedy)
  }

  /// Returns a record for each entity that differs from the closest version.
  static func differences(of gap: VersionGap) -> [Difference] {
    gap.differences.map {
      Difference(entity: $0.entity, difference: $0.words, asIn: gap.asIn[$0.entity])
    }
  }
}

extension EntityDifference {
  fileprivate var words: String {
    switch self {
    case .onlyInStore: "only in the store"
    case .onlyInModel: "only in the model"
    case .changed: "hash differs"
    }
  }
}
