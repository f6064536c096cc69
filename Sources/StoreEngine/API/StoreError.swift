import RecordFormats
import SQLiteAccess
import StoreCore
public import StoreDiagnostics
import StoreLayout
import StoreModel

/// The reason if a store can't be opened or a request can't run. A request that throws it hasn't changed the store.
///
///     do {
///       try await store.batchDelete(request)
///     } catch let failure as StoreError where failure.reason == .deletionDenied {
///       print(failure)      // error: 'Department.employees' denies it: … [delete.denied]
///     }
public struct StoreError: DiagnosableError, Hashable, Sendable {
  /// The kinds of errors that a program can handle.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The file doesn't exist, or its folder doesn't, or an external file with a value is missing.
    case notFound
    /// The file isn't a Core Data store.
    case notAStore
    /// `create` doesn't overwrite files.
    case exists
    /// None of the models wrote the store.
    case unknownVersion
    /// The store has triggers or a history that storetool can't update.
    case unsupportedStore
    /// The file is damaged, or its app must first roll back an interrupted write.
    case damaged
    /// Another process has locked the store. A program can try again later.
    case locked
    /// A missing permission, a full disk, too little memory, a read-only file or a device error.
    case inputOutput
    /// The request doesn't fit the model, for example because of an unknown entity or property, a predicate that
    /// compares incompatible types, or a property that can't be set.
    case invalidRequest
    /// A value or a record that the model doesn't allow, a reference to a missing row, or invalid JSON or CSV.
    case invalidData
    /// Two rows would have the same unique values.
    case notUnique
    /// A Deny rule, a required reference or a minimum number of members prevents the deletion.
    case deletionDenied
    /// The store doesn't contain the object of the request, or doesn't contain it any more.
    case noObject
    /// The request, the transaction or the wait for its turn exceeded a time limit.
    case timedOut
    /// A request in a transaction that has ended.
    case transactionOver
    /// The store is closed.
    case closed
    /// A bug in this library.
    case bug
  }
  /// The kind of the error.

  public let reason: Reason
  /// The cause, the location and the remedy. There is at least one diagnostic.
  public let diagnostics: [Diagnostic]

  package init(_ reason: Reason, _ diagnostics: [Diagnostic]) {
    self.reason = reason
    self.diagnostics = diagnostics
  }

  private init(
    _ reason: Reason, _ code: String, _ message: String, cause: Diagnostic.Cause,
    help: [Remedy] = []
  ) {
    self.init(reason, [Diagnostic(.error, code, message, cause: cause, help: help)])
  }

  /// - Parameter status: the state of the last request.
  static func timedOut(
    _ path: FilePath, after deadline: Duration, _ status: String?
  ) -> StoreError {
    let end = status.map { ": \($0)" } ?? ""
    return StoreError(
      .timedOut, "store.timed-out",
      "the work on '\(path)' took longer than \(deadline.inWords)\(end)", cause: .cancelled)
  }

  /// - Parameter current: the request whose turn it is.
  static func late(
    _ path: FilePath, _ request: StoreRequest, after limit: Duration, behind current: String
  ) -> StoreError {
    StoreError(
      .timedOut, "store.no-turn",
      "\(request) waited \(limit.inWords) for its turn on '\(path)', after \(current)",
      cause: .busy)
  }

  static func locked(
    _ path: FilePath, for request: StoreRequest, after limit: Duration
  ) -> StoreError {
    StoreError(
      .locked, "store.locked",
      "another process holds '\(path)': \(request) waited \(limit.inWords) for it", cause: .busy,
      help: ["try again when it has finished"])
  }

  static func closed(_ path: FilePath) -> StoreError {
    StoreError(
      .closed, "store.closed", "'\(path)' was closed by this program", cause: .usage)
  }
}

extension StoreError: CustomStringConvertible {
  /// The diagnostics as text, each with one or more lines.
  public var description: String {
    let text = diagnostics.map(DiagnosticRenderer().render).joined()
    return String(text.dropLast())
  }
}

extension StoreError {
  /// Converts an internal error to a public error. Errors of the caller and cancellation remain unchanged.
  package static func translating(_ error: any Error) -> any Error {
    switch error {
    case is Cancelled, DatabaseError.cancelled: CancellationError()
    case let failure as StoreError: failure
    case let known as any DiagnosableError:
      StoreError(reason(of: known), known.diagnostics)
    default: error
    }
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
    // The errors of an input are collected as diagnostics.
    case is DiagnosticError, is InputError, is RowLookupError, is MemberCountError,
      is UnreadableValue:
      .invalidData
    case let error as ExternalValueMissing: reason(of: error.problem)
    case is DeletionRefusal: .deletionDenied
    case is UnknownVersion: .unknownVersion
    case is TransactionOver: .transactionOver
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
    case .noPermission, .diskFull, .outOfMemory, .readOnly, .inputOutput: .inputOutput
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
    switch error {
    case .unknownRelationship, .noRelationship, .notStored, .notOrdered, .position:
      .invalidRequest
    case .severalPartners: .invalidData
    }
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
