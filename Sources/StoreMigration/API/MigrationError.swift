public import StoreDiagnostics
import SQLiteAccess
import StoreCore
import StoreEngine
import StoreLayout
import StoreModel

/// Why a store was not migrated. It is as it was.
///
///     do {
///       try await migrator.run()
///     } catch let failure as MigrationError where failure.reason == .losses {
///       print(failure.losses)    // what to allow, or to write a step for
///     }
public struct MigrationError: DiagnosableError, Hashable, Sendable {
  /// What a program may want to act on.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No version wrote the store, and it carries no model that would do.
    case unknownVersion
    /// A version wrote it that is newer than the target, or than all that are known.
    case newerVersion
    /// The target has no place for what is in the store; `losses` has what.
    case losses
    /// Rows stand in the way: a value is missing, not unique or can't be converted.
    case refusedRows
    /// A definition or a step does not fit the versions, two of them can't both run, or a version can't be read.
    case unusableDefinition
    /// The store holds tables, views or triggers of the program's own that are in the way, or lacks some of the model's.
    case unfitStore
    case noSpace
    /// A bug of this library: what was written was not what was to be written, and was rolled back.
    case bug
  }

  public let reason: Reason
  /// What is wrong, where, and what to do: at least one.
  public let diagnostics: [Diagnostic]
  /// For the reason `losses`.
  public let losses: [Loss]

  init(_ reason: Reason, _ diagnostics: [Diagnostic], losses: [Loss] = []) {
    self.reason = reason
    self.diagnostics = diagnostics
    self.losses = losses
  }

  /// Runs work, with its errors as callers know them; theirs, and cancellation, as they are.
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
  fileprivate var losses: [Loss] {
    if case .losses(let losses) = self { losses } else { [] }
  }
}

extension MigrationError: CustomStringConvertible {
  /// The diagnostics as text, one or several lines each.
  public var description: String {
    String(diagnostics.map(DiagnosticRenderer().render).joined().dropLast())
  }
}
