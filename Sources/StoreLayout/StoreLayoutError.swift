package import StoreDiagnostics

/// Why a database is not a store that we can use, or not one for what is asked of it.
package enum StoreLayoutError: Error, Hashable, Sendable {
  /// A database, but without `Z_METADATA`.
  case notAStore(path: FilePath)
  /// A copy that was made of a store, and is removed again.
  case copyDiffers(path: FilePath, CopyDifference)
  /// Writing would have to record history, too, but a table for it lacks the column.
  case unknownHistory(path: FilePath, table: String, column: String)
  case noHistory(path: FilePath)
  /// A trigger that Core Data did not make.
  case foreignTrigger(path: FilePath, name: String, table: String)
  /// A trigger of Core Data that calls a function which we don't know.
  case triggerFunction(path: FilePath, name: String, function: String)
  /// The file lacks something that the model needs.
  case incomplete(path: FilePath, lacks: [SchemaGap])
  /// A view or a virtual table of an app's own that SQLite can't use, and that stands in a statement's way.
  case unreadableTable(path: FilePath, name: String, message: String)
  case unknownVersion(path: FilePath, VersionGap)
  /// The files of values are, or lie behind, a symbolic link.
  case linkedValues(path: FilePath)
  /// Two names that differ only in how Unicode writes their characters.
  ///
  /// - Parameter owner: the table of two columns; nil for names of the whole store.
  case twinNames(path: FilePath, kind: NamedKind, owner: String?, NameTwins)
}

/// What has a name in a store.
package enum NamedKind: String, Hashable, Sendable {
  case table, column, entity
}

/// How a copy reads otherwise than its store.
package enum CopyDifference: Hashable, Sendable {
  case metadata
  /// Nil: there is no such table.
  case rows(table: String, store: Int64?, copy: Int64?)
}

extension StoreLayoutError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, "store.\(code)", message, cause: cause, help: help)]
  }

  private var code: String {
    switch self {
    case .notAStore: "not-a-store"
    case .copyDiffers: "copy-differs"
    case .unknownHistory: "unknown-history"
    case .noHistory: "no-history"
    case .foreignTrigger: "foreign-trigger"
    case .triggerFunction: "trigger-function"
    case .incomplete: "incomplete"
    case .unreadableTable: "unreadable-table"
    case .unknownVersion: "unknown-version"
    case .linkedValues: "linked-values"
    case .twinNames: "twin-names"
    }
  }

  private var cause: Diagnostic.Cause {
    switch self {
    case .copyDiffers: .inputOutput
    case .unknownVersion: .unknownVersion
    case .notAStore, .unknownHistory, .foreignTrigger, .triggerFunction, .noHistory, .linkedValues,
      .incomplete, .unreadableTable, .twinNames:
      .invalid
    }
  }

  private var message: String {
    switch self {
    case .notAStore(let path):
      "'\(path)' is a SQLite database, but no Core Data store: it has no table Z_METADATA"
    case .copyDiffers(let path, let difference):
      "the copy '\(path)' does not read as the store does: \(difference.sentence)"
    case .unknownHistory(let path, let table, let column):
      "'\(path)' keeps its persistent history in a form that storetool does not know: \(table) has"
        + " no column \(column)"
    case .noHistory(let path): "'\(path)' keeps no persistent history"
    case .foreignTrigger(let path, let name, let table):
      "'\(path)' has a trigger on \(table) that is none of Core Data's: \(name)"
    case .triggerFunction(let path, let name, let function):
      "the trigger \(name) of '\(path)' calls \(function), a function that storetool does not know"
    case .incomplete(let path, let gaps):
      "'\(path)' lacks what it needs: \(gaps.listed)"
    case .unreadableTable(let path, let name, let message):
      "'\(path)' has a table or view \(name) that SQLite can't use: \(message)"
    case .unknownVersion(let path, _): "'\(path)' belongs to no known version of the model"
    case .linkedValues(let path):
      "'\(path)' is a symbolic link and is not followed; a copy of the store would lack the values behind it"
    case .twinNames(let path, let kind, let owner, let twins):
      "'\(path)' has two \(kind.plural)\(owner.map { " in \($0)" } ?? "") whose names look alike, "
        + "'\(twins.first)' and '\(twins.second)': \(twins.difference)"
    }
  }

  private var help: [Remedy] {
    switch self {
    case .unknownHistory:
      ["every change would have to be recorded there, or synchronisation would miss it"]
    case .noHistory: ["an app that tracks it makes the tables ATRANSACTION and ACHANGE"]
    case .foreignTrigger:
      ["no one knows what it would do to the rows; drop it if it does not belong there"]
    case .triggerFunction:
      ["without it a derived attribute would be left wrong; write to this store with its app"]
    case .linkedValues:
      [.store(.replaceLink)]
    case .twinNames:
      ["rename or drop one of the two with sqlite3, on a copy of the store"]
    case .incomplete(_, let gaps):
      gaps.contains(where: \.isRepairable)
        ? [.store(.repair)]
        : ["what was in it is lost here; look for it in a backup of the store"]
    case .unreadableTable:
      ["drop it, if it is nothing that the app needs, or make whole what it is made of"]
    case .unknownVersion(_, let gap):
      [gap.remedy]
        + (gap.identifiers.isEmpty
          ? [] : [.text("its metadata call the version that wrote it \(gap.quotedIdentifiers)")])
        + (gap.closest.map { ["the closest is \($0); it differs in:"] } ?? [])
        + gap.differences.map { .text(gap.sentence(for: $0)) }
    case .copyDiffers:
      [
        """
        it was removed, and the store is as it was; keep other programs away from that folder, or \
        choose another
        """
      ]
    case .notAStore:
      []
    }
  }
}

extension NamedKind {
  fileprivate var plural: String { self == .entity ? "entities" : rawValue + "s" }
}

extension CopyDifference {
  fileprivate var sentence: String {
    switch self {
    case .metadata: "its metadata is another"
    case .rows(let table, let store?, let copy?):
      "\(table) has \(copy) rows there, and \(store) in the store"
    case .rows(let table, _, nil): "it has no table \(table)"
    case .rows(let table, nil, _): "the store has no table \(table)"
    }
  }
}

extension [SchemaGap] {
  private static let listLimit = 4

  /// `the table Z_2TOPICS, the column ZNAME of ZITEM and 3 more`
  fileprivate var listed: String {
    let names = prefix(Self.listLimit).map(\.name).joined(separator: ", ")
    return count > Self.listLimit ? "\(names) and \(count - Self.listLimit) more" : names
  }
}
