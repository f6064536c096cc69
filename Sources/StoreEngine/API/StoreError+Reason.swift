import RecordFormats
import SQLiteAccess
import StoreLayout
import StoreDiagnostics
import StoreModel
import StoreCore

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
