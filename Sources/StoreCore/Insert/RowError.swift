import RecordFormats
package import StoreDiagnostics
package import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A record that can't be written as a row.
package struct RowError: Error, Hashable {
  package enum Kind: Error, Hashable, Sendable {
    case value(property: String, shown: String, ValueError)
    case unknownKey(String, known: [String])
    case refusedKey(String, InsertPlan.Refusal)
    case repeatedKey(String)
    /// Another row has the same values. `values` contains their texts by property. `owner` is the row's entity if it
    /// isn't the record's entity. `isInInput` specifies whether the other row is an earlier record of the input.
    case conflict(
      values: [String: String], owner: String? = nil, policy: ConflictPolicy? = nil,
      isInInput: Bool = false)
    case danglingReference(property: String, destination: String, key: Int64)
    /// The description of a to-one destination doesn't match exactly one row.
    case destination(property: String, RowLookupError)
    /// An update of an existing row would also change the other side of the relationship.
    case linkOfExistingRow(property: String)
    /// Two objects with the same key have different values.
    case contradiction(property: String, key: [String], isInStore: Bool)
    /// Several rows have the values of an object's key.
    case severalRows(key: [String])
    /// An element of the input isn't a JSON object.
    case notARecord(String)
  }

  package var kind: Kind
  package var entity: String
  /// The number of the record in the input, counted from 1. Nil for an error in the header, and for values that aren't
  /// from an input.
  package var record: Int?
  package var place: SourcePlace?
  package var excerpt: DiagnosticMessage.Excerpt?

  package init(
    _ kind: Kind, entity: String, record: Int?, place: SourcePlace? = nil,
    excerpt: DiagnosticMessage.Excerpt? = nil
  ) {
    self.kind = kind
    self.entity = entity
    self.record = record
    self.place = place
    self.excerpt = excerpt
  }
}

extension RowError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    var diagnostic = plain
    if let record { diagnostic.message = "record \(record): \(diagnostic.message)" }
    (diagnostic.place, diagnostic.excerpt) = (place, excerpt)
    return [diagnostic.about(entity, properties)]
  }

  /// The properties whose values are wrong.
  private var properties: [String] {
    switch kind {
    case .value(let property, _, _), .refusedKey(let property, _), .repeatedKey(let property),
      .danglingReference(let property, _, _), .destination(let property, _),
      .linkOfExistingRow(let property), .contradiction(let property, _, _):
      [property]
    case .conflict(let values, _, _, _): values.keys.sorted()
    case .severalRows(let key): key
    case .unknownKey, .notARecord: []
    }
  }

  /// The diagnostic without the location.
  private var plain: DiagnosticMessage {
    switch kind {
    case .value(let property, let shown, let problem):
      DiagnosticMessage(
        .error, problem.code,
        // The record can contain objects of other entities, so the entity is part of the message.
        problem == .missing && record != nil
          ? "'\(entity).\(property)' requires a value"
          : problem.message(property: property, shown: shown),
        help: problem.description(of: property, shown: shown, isField: record != nil)
          + problem.help + dateHelp(problem, shown))
    case .unknownKey(let key, let known):
      DiagnosticMessage(
        .error, "value.unknown-property", "'\(entity)' has no property '\(key)'", cause: .notFound,
        // With a wrong delimiter, the whole header is one name.
        help: key.hasPrefix("$")
          ? [.importing(.importInstead(.exportedRecords))]
          : [DiagnosticRemedy.delimiter(in: key, known)].compactMap(\.self)
      ).didYouMean(key, among: known)
    case .refusedKey(let key, .toMany) where record != nil:
      DiagnosticMessage(
        .error, InsertPlan.Refusal.toMany.code,
        "'\(key)' is to-many, and a flat record has one value per key",
        help: [.importing(.importInstead(.arrays))])
    case .refusedKey(let key, let refusal):
      DiagnosticMessage(
        .error, refusal.code, refusal.message(of: key, entity: entity), cause: refusal.cause,
        help: refusal.help(of: key, entity: entity))
    case .repeatedKey(let key):
      DiagnosticMessage(.error, "value.repeated", "duplicate key '\(key)'")
    case .conflict(let values, let owner, let policy, let isInInput):
      DiagnosticMessage(
        .error, "value.not-unique",
        (owner.map { "a row of '\($0)' has the same " }
          ?? "another '\(entity)'\(isInInput ? " in the input" : "") has the same ")
          + values.sorted { $0.key < $1.key }.map { "\($0.key) '\($0.value)'" }
          .joined(separator: ", "),
        help: record == nil ? [] : conflictHelp(owner: owner, policy: isInInput ? nil : policy))
    case .danglingReference(let property, let destination, let key):
      DiagnosticMessage(
        .error, "value.dangling-reference",
        "'\(property)' refers to \(destination) p\(key), which doesn't exist")
    case .destination(let property, let error):
      DiagnosticMessage(
        .error, error.diagnostic.code, "'\(property)': \(error.diagnostic.message)",
        help: error.diagnostic.help)
    case .linkOfExistingRow(let property):
      DiagnosticMessage(
        .error, "value.not-settable",
        "'\(property)' of an existing row can't be changed here: other rows would have to change, because the "
          + "relationship is one-to-one or ordered", help: [.importing(.updateAfterwards)])
    case .contradiction(let property, let key, let isInStore):
      DiagnosticMessage(
        .error, "import.contradiction",
        "'\(property)' has a different value in the '\(entity)' with the same "
          + "\(key.joined(separator: ", ")) \(isInStore ? "in the store" : "earlier in the input")",
        help: [.importing(.chooseConflictPolicy)])
    case .severalRows(let key):
      DiagnosticMessage(
        .error, "value.several-matches",
        "several '\(entity)' rows in the store have the same \(key.joined(separator: ", "))")
    case .notARecord(let found):
      DiagnosticMessage(.error, "input.no-record", "a record is a JSON object, not \(found)")
    }
  }

  private func conflictHelp(owner: String?, policy: ConflictPolicy?) -> [DiagnosticRemedy] {
    var help: [DiagnosticRemedy] = ["no row of this input was written"]
    if owner != nil {
      help.append(.text("a record of '\(entity)' can't update it, because its entity is different"))
    } else if policy == .fail {
      help.append(.importing(.chooseConflictPolicy))
    }
    return help
  }

  private func dateHelp(_ problem: ValueError, _ shown: String) -> [DiagnosticRemedy] {
    guard record != nil, problem == .wrongType(.date), Double(shown) != nil else { return [] }
    return [.importing(.importInstead(.numericDates))]
  }
}

extension ValueError {
  /// Returns the suggestion to specify the destination by a predicate with this text, in the notation of an argument or
  /// of a record's field.
  func description(of property: String, shown: String, isField: Bool) -> [DiagnosticRemedy] {
    guard case .noObjectID(let attribute?, _) = self else { return [] }
    // In the fields of CSV and JSON, single quotes don't have to be escaped.
    let quote = isField ? "'" : "\""
    let text = shown.replacing(quote, with: "\\\(quote)")
    let described = "(\(attribute) == \(quote)\(text)\(quote))"
    return [
      .text(
        "specify the row by a predicate: " + (isField ? described : "'\(property):=\(described)'"))
    ]
  }
}

extension DiagnosticRemedy {
  /// Returns a suggestion of the delimiter that separates known names in an unknown name, or nil.
  package static func delimiter(in key: String, _ known: [String]) -> DiagnosticRemedy? {
    for separator in [",", ";", "\t", "|", ":", "^"] {
      let names = key.split(separator: separator).map(String.init)
      guard names.count > 1, names.contains(where: known.contains) else { continue }
      return .importing(.chooseDelimiter(separator == "\t" ? "tab" : separator))
    }
    return nil
  }
}

/// The errors of an input. An error that many records share is reported only for the first records.
struct RecordIssues {
  private var told: [DiagnosticMessage] = []
  private var kinds: [Kind: (last: Int, told: Int, untold: Int)] = [:]
  private var count = 0

  private struct Kind: Hashable {
    var code: String
    /// The property or the message.
    var subject: String
  }

  private static let toldOfAKind = 3
  /// The number of errors after which reading stops, including errors that aren't reported separately.
  private let limit: Int

  /// - Parameter isFile: whether the input is a file. If it isn't, fewer errors end the reading, because a program
  ///   might write records forever.
  init(isFile: Bool) {
    limit = isFile ? 1_000 : BatchInsert.errorLimit
  }

  var isEmpty: Bool { told.isEmpty }
  var areTooMany: Bool { told.count >= BatchInsert.errorLimit || count >= limit }

  mutating func add(_ error: RowError) {
    count += 1
    guard error.record != nil, let diagnostic = error.diagnostics.first else {
      return told += error.diagnostics
    }
    let kind = Kind(code: diagnostic.code, subject: error.subject)
    var known = kinds[kind] ?? (0, 0, 0)
    if known.told < (error.isOfRecord ? Self.toldOfAKind : 1) {
      known = (told.count, known.told + 1, 0)
      told.append(diagnostic)
    } else {
      known.untold += 1
    }
    kinds[kind] = known
  }

  mutating func add(_ error: InputError) {
    count += 1
    told += error.diagnostics
  }

  var diagnostics: [DiagnosticMessage] {
    var diagnostics = told
    for (last, _, untold) in kinds.values where untold > 0 {
      let more = count >= limit ? "at least \(untold)" : "\(untold)"
      diagnostics[last] = diagnostics[last].helping(
        "the same error occurs in \(more) more \("record".plural(untold))")
    }
    return diagnostics
  }
}

extension RowError {
  /// The property or the message by which errors are grouped.
  fileprivate var subject: String {
    switch kind {
    case .value(let property, _, _), .danglingReference(let property, _, _),
      .destination(let property, _):
      property
    default: "\(kind)"
    }
  }

  /// Whether the error can differ in each record.
  fileprivate var isOfRecord: Bool {
    if case .value = kind { true } else { false }
  }
}
