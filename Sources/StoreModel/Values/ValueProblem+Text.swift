import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RowError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, code, (record.map { "record \($0): " } ?? "") + message, cause: cause, at: place,
      excerpt: excerpt, help: help)
    guard case .unknownKey(let key, let known) = kind else { return [diagnostic] }
    return [diagnostic.didYouMean(key, among: known)]
  }

  private var cause: Diagnostic.Cause {
    if case .unknownKey = kind { .notFound } else { .invalid }
  }

  private var code: String {
    switch kind {
    case .value(_, _, let problem): problem.code
    case .unknownKey: "value.unknown-property"
    case .refusedKey: "value.not-settable"
    case .repeatedKey: "value.repeated"
    case .conflict: "value.not-unique"
    case .danglingReference: "value.dangling-reference"
    case .destination(_, let error): error.diagnostics.first?.code ?? "value.no-match"
    case .linkOfExistingRow: "value.not-settable"
    case .contradiction: "import.contradiction"
    case .severalRows: "value.several-matches"
    case .notARecord: "input.no-record"
    }
  }

  private var message: String {
    switch kind {
    case .value(let property, let shown, let problem):
      problem.message(property: property, shown: shown)
    case .unknownKey(let key, _): "'\(entity)' has no property '\(key)'"
    case .refusedKey(let key, .derived): "'\(key)' is derived: the store computes it"
    case .refusedKey(let key, .toMany): "'\(key)' is to-many, and a flat record has one value a key"
    case .refusedKey(let key, .transient): "'\(key)' is transient: it has no column in the store"
    case .repeatedKey(let key): "the key '\(key)' stands there twice"
    case .conflict(let values):
      "another '\(entity)' has the same "
        + values.sorted { $0.key < $1.key }.map { "\($0.key) '\($0.value)'" }
        .joined(separator: ", ")
    case .danglingReference(let property, let destination, let key):
      "'\(property)' refers to \(destination) p\(key), which does not exist"
    case .destination(let property, let error):
      "'\(property)': \(error.diagnostics.first?.message ?? "no row matches")"
    case .linkOfExistingRow(let property):
      "'\(property)' of a row that exists is one-to-one or ordered, and its other side would have to follow"
    case .contradiction(let property, let key, let isInStore):
      "'\(property)' is another one than that of the '\(entity)' with the same "
        + "\(key.joined(separator: ", ")) \(isInStore ? "in the store" : "before it")"
    case .severalRows(let key):
      "several '\(entity)' of the store have its \(key.joined(separator: ", "))"
    case .notARecord(let found): "a record is a JSON object, not \(found)"
    }
  }

  private var help: [Remedy] {
    switch kind {
    case .value(_, _, let problem): problem.help
    case .unknownKey(let key, _) where key.hasPrefix("$"):
      [.importing(.importInstead(.exportedRecords))]
    case .refusedKey(_, .toMany): [.importing(.importInstead(.arrays))]
    case .conflict where record != nil: ["no row of this input was written"]
    case .destination(_, let error): error.diagnostics.first?.help ?? []
    case .contradiction: [.importing(.chooseConflictPolicy)]
    case .linkOfExistingRow: [.importing(.updateAfterwards)]
    case .conflict, .unknownKey, .refusedKey, .repeatedKey, .danglingReference, .severalRows,
      .notARecord:
      []
    }
  }
}

extension ValueProblem {
  package var code: String {
    switch self {
    case .wrongType, .wrongDate, .notANumber, .noObjectID, .nested: "value.wrong-type"
    case .outOfRange: "value.out-of-range"
    case .foreignStore, .wrongDestination: "value.wrong-object"
    case .missing: "value.missing"
    case .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .noMatch, .excessivePattern:
      "value.invalid"
    }
  }

  package func message(property: String, shown: String) -> String {
    switch self {
    case .wrongType(let type): "'\(property)' takes \(type.article), not '\(shown)'"
    case .wrongDate(let format): "'\(property)' takes a date as in \(format), not '\(shown)'"
    case .outOfRange(let type): "'\(shown)' is too large for '\(property)', \(type.article)"
    case .notANumber: "'\(property)' cannot be NaN: SQLite stores it as NULL"
    case .noObjectID: "'\(property)' takes an object ID, not '\(shown)'"
    case .foreignStore(let store): "'\(shown)' is a row of another store, \(store)"
    case .wrongDestination(let entity, let expected):
      "'\(property)' leads to \(expected.joined(separator: " or ")), not to \(entity)"
    case .missing: "'\(property)' needs a value"
    case .belowMinimum(let minimum): "'\(property)' is \(shown), but at least \(minimum.shown)"
    case .aboveMaximum(let maximum): "'\(property)' is \(shown), but at most \(maximum.shown)"
    case .tooShort(let least): "'\(property)' has fewer than \(least) characters: '\(shown)'"
    case .tooLong(let most): "'\(property)' has more than \(most) characters: '\(shown)'"
    case .noMatch(let pattern): "'\(property)' does not match \(pattern): '\(shown)'"
    case .excessivePattern(let work): "'\(property)' is '\(shown)': \(work.message)"
    case .nested: "'\(property)' is \(shown), and a flat record holds single values"
    }
  }

  package var help: [Remedy] {
    switch self {
    case .wrongType(.date): ["write dates as in 2024-05-06T07:08:09Z"]
    case .wrongType(.binary), .wrongType(.transformable): ["write bytes as base64"]
    case .noObjectID: ["object IDs are written as in x-coredata:///Item/p7"]
    case .excessivePattern: [.text(TextMatcher.ExcessiveWork.help)]
    case .nested: [.importing(.importInstead(.nestedRecords))]
    case .wrongType, .wrongDate, .outOfRange, .notANumber, .foreignStore, .wrongDestination,
      .missing,
      .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .noMatch:
      []
    }
  }
}

extension AttributeType {
  /// The type with its article, for messages.
  fileprivate var article: String {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number of 64 bits"
    case .decimal: "a decimal number"
    case .double: "a number"
    case .float: "a number of 32 bits"
    case .string: "a text"
    case .boolean: "true or false"
    case .date: "an ISO 8601 date"
    case .binary, .transformable: "base64 bytes"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .objectID: "an object ID"
    case .undefined, .composite: "a value"
    }
  }
}

extension Value {
  /// For messages.
  package var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .date(let seconds): ISODate.text(seconds) ?? "\(seconds)"
    case .uuid(let value): value.uuidString
    case .binary(let bytes): "\(bytes.count) bytes"
    case .objectID(let id): id.uri
    }
  }
}
