package import StoreDiagnostics

/// The reason why a database isn't a usable store, or isn't usable for a request.
package enum StoreLayoutError: Error, Hashable, Sendable {
  /// A database without `Z_METADATA`.
  case notAStore(path: LocalPath)
  /// The content of a copy differs from the store's, so the copy was removed.
  case copyDiffers(path: LocalPath, CopyDifference)
  /// A table of the history lacks a column that a write must set.
  case unknownHistory(path: LocalPath, table: String, column: String)
  case noHistory(path: LocalPath)
  /// A trigger that Core Data hasn't created.
  case foreignTrigger(path: LocalPath, name: String, table: String)
  /// A trigger of Core Data that calls an unknown function.
  case triggerFunction(path: LocalPath, name: String, function: String)
  /// Parts that the model requires are missing in the file.
  case incomplete(path: LocalPath, lacks: [SchemaGap])
  /// A view or a virtual table that a statement requires but SQLite can't use.
  case unreadableTable(path: LocalPath, name: String, message: String)
  case unknownVersion(path: LocalPath, VersionGap)
  /// An external file, or a folder that contains the external files, is a symbolic link.
  case linkedValues(path: LocalPath)
  /// Two canonically equivalent names with different bytes.
  ///
  /// - Parameter owner: the table of two columns, or nil for names of the whole store.
  case twinNames(path: LocalPath, kind: NamedKind, owner: String?, NameTwins)
}

/// The kind of an object with a name in a store.
package enum NamedKind: String, Hashable, Sendable {
  case table, column, entity
}

/// A difference between a copy and its store.
package enum CopyDifference: Hashable, Sendable {
  case metadata
  /// The numbers of rows in a table. A number is nil if the table is missing.
  case rows(table: String, store: Int64?, copy: Int64?)
}

extension StoreLayoutError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    [DiagnosticMessage(.error, "store.\(code)", message, cause: cause, help: help)]
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

  private var cause: DiagnosticMessage.Cause {
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
      "'\(path)' is an SQLite database, but not a Core Data store, because the table Z_METADATA is missing"
    case .copyDiffers(let path, let difference):
      "the copy '\(path)' differs from the store: \(difference.sentence)"
    case .unknownHistory(let path, let table, let column):
      "'\(path)' has a persistent history in an unknown form: \(table) has"
        + " no column \(column)"
    case .noHistory(let path): "'\(path)' has no persistent history"
    case .foreignTrigger(let path, let name, let table):
      "'\(path)' has a trigger on \(table) that Core Data didn't create: \(name)"
    case .triggerFunction(let path, let name, let function):
      "the trigger \(name) of '\(path)' calls the unknown function \(function)"
    case .incomplete(let path, let gaps):
      "'\(path)' isn't complete; missing: \(gaps.listed)"
    case .unreadableTable(let path, let name, let message):
      "'\(path)' has a table or view \(name) that SQLite can't use: \(message)"
    case .unknownVersion(let path, let gap):
      gap.requested.map { "'\(path)' isn't a store of '\($0)'" }
        ?? "'\(path)' isn't a store of any known version of the model"
    case .linkedValues(let path):
      "'\(path)' is a symbolic link, which isn't followed, so a copy of the store wouldn't contain the values"
        + " that it refers to"
    case .twinNames(let path, let kind, let owner, let twins):
      "'\(path)' has two \(kind.plural)\(owner.map { " in \($0)" } ?? "") whose names look alike, "
        + "'\(twins.first)' and '\(twins.second)': \(twins.difference)"
    }
  }

  private var help: [DiagnosticRemedy] {
    switch self {
    case .unknownHistory:
      ["each change must be recorded in the history, otherwise synchronization would miss it"]
    case .noHistory: ["an app with history tracking creates the tables ATRANSACTION and ACHANGE"]
    case .foreignTrigger:
      ["its effect on rows is unknown; drop it if it doesn't belong in the store"]
    case .triggerFunction:
      ["without it, a derived attribute would become wrong; write to this store with its app"]
    case .linkedValues:
      [.store(.replaceLink)]
    case .twinNames:
      ["rename or drop one of the two with sqlite3, on a copy of the store"]
    case .incomplete(_, let gaps):
      gaps.contains(where: \.isRepairable)
        ? [.store(.repair)]
        : ["the missing content can't be recovered from this file; look in a backup of the store"]
    case .unreadableTable:
      ["drop it if the app doesn't require it, or restore the objects that it uses"]
    case .unknownVersion(_, let gap): gap.remedies
    case .copyDiffers:
      [
        """
        the copy was removed, and the store is unchanged; keep other programs away from that folder, or \
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
    case .metadata: "its metadata differs"
    case .rows(let table, let store?, let copy?):
      "\(table) has \(copy) \("row".plural(copy)) in the copy and \(store) in the store"
    case .rows(let table, _, nil): "it doesn't have a table \(table)"
    case .rows(let table, nil, _): "the store doesn't have a table \(table)"
    }
  }
}

extension [SchemaGap] {
  private static let listLimit = 4

  /// The missing parts as text, such as `the table Z_2TOPICS, the column ZNAME of ZITEM and 3 more`.
  fileprivate var listed: String {
    let names = prefix(Self.listLimit).map(\.name).joined(separator: ", ")
    return count > Self.listLimit ? "\(names) and \(count - Self.listLimit) more" : names
  }
}
