import RecordFormats
import SQLiteAccess
import StoreCore
public import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error that a store throws when it can't be opened, or when a request fails. A request that throws it hasn't
/// changed the store.
///
///     do {
///       try await store.batchDelete(request)
///     } catch let failure as StoreError where failure.reason == .deletionDenied {
///       print(failure)      // error: the Deny rule of 'Department.employees' prevents … [delete.denied]
///     }
public struct StoreError: DiagnosableError, Hashable, Sendable {
  /// The reasons of errors, for `catch` clauses.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The file or its folder doesn't exist, or a file with an external value is missing.
    case notFound
    /// The file is not a Core Data store.
    case notAStore
    /// The file already exists. `create` doesn't overwrite files; `backup` and `export` do so only with
    /// `replacesExisting`.
    case exists
    /// The store wasn't written by any of the given models.
    case unknownVersion
    /// The store contains triggers or a persistent history that this library can't maintain.
    case unsupportedStore
    /// The file is damaged, lacks tables or columns of its model, or contains an interrupted write that the app must
    /// first roll back.
    case damaged
    /// Another process has locked the store, or writes it continually. Try again later.
    case locked
    /// The store was opened for reading only, or its file is write-protected.
    case readOnly
    /// Missing permission, a full disk, too little memory, or a failing device.
    case inputOutput
    /// The request doesn't fit the model. For example, an entity or property is unknown, a predicate compares
    /// incompatible values, or a property can't be set.
    case invalidRequest
    /// The model doesn't allow a value or a record, a referenced row doesn't exist, or a text isn't valid JSON or CSV.
    case invalidData
    /// Two rows would have the same unique values.
    case notUnique
    /// The rule Deny, a required reference, or a minimum number of members forbids the deletion.
    case deletionDenied
    /// The requested object doesn't exist.
    case noObject
    /// Transactions of the persistent history after a token were pruned, or the token isn't from this store. The
    /// program has to read all rows again.
    case historyIncomplete
    /// A request or a transaction exceeded its time limit, or waited too long for other requests.
    case timedOut
    /// The request was made after its transaction or snapshot had ended.
    case transactionOver
    /// The store was closed.
    case closed
    /// A bug in this library.
    case bug
  }

  /// The reason, for `catch` clauses.
  public let reason: Reason
  /// The errors, their locations and their fixes. There is at least one diagnostic.
  public private(set) var diagnostics: [DiagnosticMessage]
  /// The UUID of the store, if the error is about its rows.
  private(set) var store: String?

  package init(_ reason: Reason, _ diagnostics: [DiagnosticMessage]) {
    self.reason = reason
    self.diagnostics = diagnostics
  }

  init(
    _ reason: Reason, _ code: String, _ message: String, cause: DiagnosticMessage.Cause,
    help: [DiagnosticRemedy] = []
  ) {
    self.init(reason, [DiagnosticMessage(.error, code, message, cause: cause, help: help)])
  }

  /// - Parameter status: the status of the last request.
  static func timedOut(
    _ path: LocalPath, after deadline: Duration, _ status: String?
  ) -> StoreError {
    let end = status.map { ": \($0)" } ?? ""
    return StoreError(
      .timedOut, "store.timed-out",
      "the requests to '\(path)' took longer than \(deadline.inWords)\(end)", cause: .cancelled)
  }

  /// - Parameter current: the request that is running.
  static func late(
    _ path: LocalPath, _ request: StoreRequest, after limit: Duration, behind current: String
  ) -> StoreError {
    StoreError(
      .timedOut, "store.no-turn",
      "\(request) waited \(limit.inWords), because '\(path)' was busy with \(current)",
      cause: .busy)
  }

  static func locked(
    _ path: LocalPath, for request: StoreRequest, after limit: Duration
  ) -> StoreError {
    StoreError(
      .locked, "store.locked",
      "another process has locked '\(path)'; \(request) waited \(limit.inWords)", cause: .busy,
      help: ["try again when the other process has finished"])
  }

  static func readOnly(_ path: LocalPath, for request: StoreRequest) -> StoreError {
    StoreError(
      .readOnly, "store.read-only",
      "\(request) can't change '\(path)', which is open for reading only",
      cause: .usage)
  }

  static func closed(_ path: LocalPath) -> StoreError {
    StoreError(
      .closed, "store.closed", "'\(path)' was closed by this program", cause: .usage)
  }
}

/// The localized description contains the messages of the diagnostics, and the recovery suggestion contains their
/// remedies. Both are in English.
extension StoreError: LocalizedError {}

extension StoreError: CustomStringConvertible {
  /// The text of all diagnostics. Each diagnostic consists of one or more lines.
  public var description: String {
    let text = diagnostics.map(DiagnosticRenderer().render).joined()
    return String(text.dropLast())
  }
}

extension StoreError {
  /// Converts an error of StoreCore and the targets below it into a `StoreError`. Cancellation becomes a
  /// `CancellationError`. Other errors, such as errors of the program's closures, don't change.
  ///
  /// - Parameters:
  ///   - store: the UUID of the store whose rows the error is about.
  ///   - entity: the entity of the request.
  package static func translating(
    _ error: any Error, in store: String? = nil, of entity: String? = nil
  ) -> any Error {
    switch error {
    case is Cancelled, DatabaseError.cancelled: CancellationError()
    case let failure as StoreError: failure.completed(store, entity)
    case let known as any DiagnosableError:
      StoreError(reason(of: known), known.diagnostics).completed(store, entity)
    default: error
    }
  }

  /// Returns the error with the row that its request was about.
  func about(_ id: ObjectID) -> StoreError {
    var copy = completed(id.store, id.entity)
    for index in copy.diagnostics.indices where copy.diagnostics[index].subject?.primaryKey == nil {
      copy.diagnostics[index].subject?.primaryKey = id.primaryKey
    }
    return copy
  }

  /// Returns the error with the store and the entity, unless it has others.
  private func completed(_ store: String?, _ entity: String?) -> StoreError {
    var copy = self
    copy.store = self.store ?? store
    for index in diagnostics.indices where diagnostics[index].subject?.entity == nil {
      copy.diagnostics[index].subject?.entity = entity
    }
    return copy
  }

  private static func reason(of error: any DiagnosableError) -> Reason {
    switch error {
    case let error as DatabaseError: reason(of: error)
    case let error as StoreLayoutError: reason(of: error)
    case let error as UpdateError: reason(of: error)
    case let error as RowError: reason(of: error)
    case let error as LinkError: reason(of: error)
    case let error as InputFileError: error.isMissing ? .notFound : .inputOutput
    case is CheckErrors, is ModelLookupError, is InsertPlanError, is TemplateArgumentError,
      is ResultRequestError:
      .invalidRequest
    // A `DiagnosticError` contains the errors of an input.
    case is DiagnosticError, is InputError, is RowLookupError, is MemberCountError,
      is UnreadableValue:
      .invalidData
    case let error as ExternalValueMissing: reason(of: error.problem)
    case is DeletionRefusal: .deletionDenied
    case is UnknownVersion: .unknownVersion
    case is TransactionOver: .transactionOver
    case is HistoryTokenError: .historyIncomplete
    default: .bug
    }
  }

  private static func reason(of problem: ExternalFileError) -> Reason {
    switch problem {
    case .missing: .notFound
    case .link, .special: .invalidData
    case .unreadable: .inputOutput
    }
  }

  private static func reason(of error: DatabaseError) -> Reason {
    switch error {
    case .notFound, .folderMissing: .notFound
    case .isFolder, .notADatabase, .emptyFile, .atomicStore: .notAStore
    case .exists: .exists
    case .damaged, .needsRecovery, .emptyBesideJournal: .damaged
    case .locked, .writtenMeanwhile: .locked
    case .readOnly: .readOnly
    case .noPermission, .diskFull, .outOfMemory, .inputOutput: .inputOutput
    case .tooComplex: .invalidRequest
    case .unfitValue: .invalidData
    case .constraint: .notUnique
    case .cancelled, .sql: .bug
    }
  }

  private static func reason(of error: StoreLayoutError) -> Reason {
    switch error {
    case .notAStore: .notAStore
    case .unknownVersion: .unknownVersion
    case .unknownHistory, .noHistory, .foreignTrigger, .triggerFunction: .unsupportedStore
    case .incomplete, .unreadableTable: .damaged
    case .copyDiffers: .inputOutput
    case .linkedValues, .twinNames: .invalidData
    }
  }

  private static func reason(of error: UpdateError) -> Reason {
    switch error {
    case .unknownProperty, .notSettable, .computedBytes: .invalidRequest
    case .value, .row, .computedNull, .missingDestination, .sharedPartner, .lostPartner:
      .invalidData
    case .notUnique: .notUnique
    }
  }

  private static func reason(of error: LinkError) -> Reason {
    if case .severalPartners = error { .invalidData } else { .invalidRequest }
  }

  private static func reason(of error: RowError) -> Reason {
    switch error.kind {
    case .conflict: .notUnique
    case .unknownKey, .refusedKey: .invalidRequest
    case .value, .repeatedKey, .danglingReference, .destination, .linkOfExistingRow, .notARecord,
      .contradiction, .severalRows:
      .invalidData
    }
  }
}
