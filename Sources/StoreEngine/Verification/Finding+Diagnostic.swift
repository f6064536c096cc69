package import StoreDiagnostics

extension Finding {
  /// An app may trip over an error. A warning is what real stores have and apps live with.
  package var severity: Diagnostic.Severity {
    switch kind {
    case .missingValue, .missingPlace, .sharedPlace, .memberCount, .orphanFiles: .warning
    case .integrity, .missingTable, .missingColumn, .dangling, .wrongDestinationEntity,
      .ghostPairs, .wrongEntity, .shortCounter, .duplicates, .wrongDerivedValue, .missingFiles,
      .wrongSum:
      .error
    }
  }

  package var code: String {
    switch kind {
    case .integrity: "verify.integrity"
    case .missingTable: "verify.missing-table"
    case .missingColumn: "verify.missing-column"
    case .dangling: "verify.dangling-reference"
    case .wrongDestinationEntity: "verify.destination-entity"
    case .ghostPairs: "verify.ghost-pair"
    case .wrongEntity: "verify.wrong-entity"
    case .shortCounter: "verify.short-counter"
    case .duplicates: "verify.duplicate"
    case .missingValue: "verify.missing-value"
    case .missingPlace: "verify.missing-place"
    case .sharedPlace: "verify.shared-place"
    case .wrongDerivedValue: "verify.derived-value"
    case .memberCount: "verify.member-count"
    case .missingFiles: "verify.missing-file"
    case .orphanFiles: "verify.orphan-file"
    case .wrongSum: "verify.wrong-sum"
    }
  }

  package var message: String {
    switch kind {
    case .integrity(let words): "SQLite: \(words)"
    case .missingTable(let table): "the table \(table) is missing"
    case .missingColumn(let column, let table): "\(table) has no column \(column)"
    case .dangling(let destination):
      "\(place): \(rows) to a '\(destination)' that does not exist".replacing("row", "reference")
    case .wrongDestinationEntity:
      "\(place): the entity of the destination is noted wrongly in \(rows)"
    case .ghostPairs(let table): "\(table): \(count) pairs name a row that does not exist"
    case .wrongEntity(let table):
      "\(table): \(rows) with the number of an entity that does not belong there"
    case .shortCounter(let counter, let highest):
      "Z_MAX of '\(entity ?? "")' is \(counter), but key \(highest) is in use"
    case .duplicates(let properties):
      "'\(entity ?? "")': \(rows) share their \(properties.joined(separator: ", ")), which is unique"
    case .missingValue: "\(place) is required, but NULL in \(rows)"
    case .missingPlace: "\(place) is ordered, but \(rows) have no place in it"
    case .sharedPlace: "\(place) is ordered, but \(rows) share a place in it"
    case .wrongDerivedValue: "\(place) is not what it is derived from in \(rows)"
    case .memberCount(let minimum, let maximum):
      "\(place) must have \(maximum.map { "\(minimum) to \($0)" } ?? "at least \(minimum)") members,"
        + " but has not in \(rows)"
    case .missingFiles: "\(place): the files of \(rows) are not beside the store"
    case .orphanFiles: "\(count) files beside the store belong to no row"
    case .wrongSum(let key): "\(key) in the metadata is not the sum of the version hashes"
    }
  }

  private var place: String { "'\(entity ?? "").\(property ?? "")'" }

  private var rows: String { "\(count) row\(count == 1 ? "" : "s")" }

  package var diagnostic: Diagnostic {
    Diagnostic(
      severity, code, message,
      help: examples.isEmpty ? [] : ["the first: \(examples.joined(separator: ", "))"])
  }
}

extension String {
  fileprivate func replacing(_ word: String, _ other: String) -> String {
    split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
  }
}
