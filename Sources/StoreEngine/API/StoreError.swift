import RecordFormats
import SQLiteAccess
import StoreCore
public import StoreDiagnostics
import StoreLayout
import StoreModel

/// Why a store could not be opened, or a request not be run. A request that throws it has changed
/// nothing.
///
///     do {
///       try await store.batchDelete(request)
///     } catch let failure as StoreError where failure.reason == .deletionDenied {
///       print(failure)      // error: 'Department.employees' denies it: … [delete.denied]
///     }
public struct StoreError: DiagnosableError, Hashable, Sendable {
  /// What a program may want to act on.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no such file, or no folder to make one in; a file beside the store that holds a value of it
    /// among them.
    case notFound
    /// The file is not a Core Data store.
    case notAStore
    /// `create` never overwrites.
    case exists
    /// None of the models wrote the store.
    case unknownVersion
    /// The store has triggers or a history that could not be kept right.
    case unsupportedStore
    /// The store's file is broken, or an interrupted write has to be rolled back by its app first.
    case damaged
    /// Another process holds the store; try again later.
    case locked
    /// No permission, a full disk, too little memory, a read-only file, a failing device.
    case inputOutput
    /// The request does not fit the model: an unknown entity or property, a predicate that compares
    /// what can't be compared, a property that can't be set.
    case invalidRequest
    /// A value or a record that the model does not allow, a reference to no row, or text that is no
    /// JSON or CSV.
    case invalidData
    /// Two rows would have the same unique values.
    case notUnique
    /// A delete rule Deny, a reference that must not be nil, or a minimum of members forbids the
    /// deletion.
    case deletionDenied
    /// A request for one object that the store does not have, or not any more.
    case noObject
    /// It took longer than it might: the request, a transaction, or the waiting for its turn.
    case timedOut
    /// A request of a transaction that has ended.
    case transactionOver
    /// The store was closed.
    case closed
    /// A bug of this library.
    case bug
  }

  public let reason: Reason
  /// What is wrong, where, and what to do: at least one.
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

  /// - Parameter status: what the last request was at.
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
      "\(request) waited \(limit.inWords) for its turn on '\(path)', behind \(current)",
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
  /// The diagnostics as text, one or several lines each.
  public var description: String {
    let text = diagnostics.map(DiagnosticRenderer().render).joined()
    return String(text.dropLast())
  }
}

extension StoreError {
  /// An error of the core as the one that callers know; theirs, and cancellation, as they are.
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
    // The mistakes of an input come together, as their diagnostics.
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
