package import StoreEngine
import StoreSQL

extension Migration {
  /// The statements for an engine that runs each for itself; the store is only read.
  ///
  /// Unlike in `MigrationScript`, what must not be in the store is asked by statements that fail.
  ///
  /// - Throws: `ScriptError` for what the engine can't be told, and where the store has what must not be in it;
  ///   `DatabaseError`.
  package func script(of store: Store, for dialect: SQLDialect) throws -> SQLScript {
    let losses = plans.flatMap(\.losses).map {
      "lost from \($0.name): \($0.count.literalText)"
    }
    return try store.script(
      ["'\(source)' → '\(target)'"] + losses,
      of: plans.flatMap(\.scriptParts) + [metadataStep.part],
      for: dialect, keepsMetadata: false)
  }
}

extension MigrationPlan {
  fileprivate var scriptParts: [ScriptPart] {
    prelude.flatMap(\.parts) + checks.compactMap(\.part) + steps.flatMap(\.parts)
      + epilogue.flatMap(\.parts)
  }
}

extension MigrationStep {
  fileprivate var part: ScriptPart {
    isDefinition ? .definition(sql, purpose: purpose) : .change(sql, purpose: purpose)
  }

  fileprivate var parts: [ScriptPart] {
    if let question { return [question.part].compactMap(\.self) }
    if effect == .script { return sql.statements.map { .change($0, purpose: purpose) } }
    return [part]
  }
}

extension MigrationCheck {
  /// Nil for what a loss permits: a script makes it, as it says at its beginning.
  fileprivate var part: ScriptPart? {
    guard permission == nil else { return nil }
    return .condition(offenders, words: problem.sentence)
  }
}
