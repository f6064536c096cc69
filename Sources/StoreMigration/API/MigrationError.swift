public import StoreDiagnostics
import SQLiteAccess
import StoreCore
import StoreEngine
import StoreLayout
import StoreModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The reason why a store wasn't migrated. The store is unchanged.
///
///     do {
///       try await migrator.run()
///     } catch let failure as MigrationError where failure.reason == .losses {
///       print(failure.losses)    // allow them, or write a step for them
///     }
public struct MigrationError: DiagnosableError, Hashable, Sendable {
  /// The kind of the error, for programs that handle some errors themselves.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The version of the store is unknown, and the store doesn't contain a usable model.
    case unknownVersion
    /// The store is newer than the target version, or than all known versions.
    case newerVersion
    /// The target version can't represent all rows and values of the store, and the settings don't allow the losses.
    /// `losses` lists them.
    case losses
    /// Rows prevent the migration: a required value is missing, a value isn't unique, or a value can't be converted.
    case refusedRows
    /// A definition or step doesn't match the versions or conflicts with another definition or step, the SQL of a
    /// definition fails, an allowed loss doesn't exist, or a version can't be read.
    case unusableDefinition
    /// The store prevents the migration: for example, a table, view or trigger that Core Data didn't create conflicts
    /// with it, a table of the model is missing, or a statement fails.
    case unfitStore
    /// There isn't enough free disk space.
    case noSpace
    /// A bug in storetool: the result differs from the plan. The migration was rolled back.
    case bug
  }

  /// The kind of the error.
  public let reason: Reason
  /// The problems with their locations and fixes. Contains at least one diagnostic.
  public let diagnostics: [DiagnosticMessage]
  /// The rows and values that would be lost, if the reason is `losses`.
  public let losses: [MigrationLoss]

  init(_ reason: Reason, _ diagnostics: [DiagnosticMessage], losses: [MigrationLoss] = []) {
    self.reason = reason
    self.diagnostics = diagnostics
    self.losses = losses
  }

  /// Runs `work` and converts internal errors to public errors. Cancellation becomes a `CancellationError`. Errors of
  /// the caller's code are rethrown unchanged.
  static func translating<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as MigrationRunError {
      throw MigrationError(reason(of: error), error.diagnostics, losses: error.losses)
    } catch let error as UnknownVersion {
      throw MigrationError(
        error.verdict == .newer ? .newerVersion : .unknownVersion, error.diagnostics)
    } catch let error as NewerStore {
      throw MigrationError(.newerVersion, error.diagnostics)
    } catch let error as any DiagnosableError where isAboutDefinitions(error) {
      throw MigrationError(.unusableDefinition, error.diagnostics)
    } catch {
      throw StoreError.translating(error)
    }
  }

  private static func isAboutDefinitions(_ error: any DiagnosableError) -> Bool {
    error is MigrationPathError || error is DiagnosticError || error is CheckErrors
      || error is ModelLookupError
  }

  private static func reason(of error: MigrationRunError) -> Reason {
    switch error {
    case .losses: .losses
    case .failedChecks: .refusedRows
    case .unknownLoss, .definitionSQL, .brokenBySQL: .unusableDefinition
    case .nameInTheWay, .dependent, .unfitStore, .keysRunOut, .step: .unfitStore
    case .noSpace: .noSpace
    case .unproved, .schema: .bug
    }
  }
}

extension MigrationRunError {
  fileprivate var losses: [MigrationLoss] {
    if case .losses(let losses, _) = self { losses } else { [] }
  }
}

extension MigrationError: CustomStringConvertible {
  public var description: String {
    String(diagnostics.map(DiagnosticRenderer().render).joined().dropLast())
  }
}

extension MigrationError: LocalizedError {}
