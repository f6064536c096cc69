import ArgumentParser
import StoreMigration

extension MigrateCommand {
  func validateMatrix() throws {
    guard mode == .matrix else {
      if matrix.isGiven { throw ValidationError("--rows and --seed go with --matrix") }
      return
    }
    let others = [
      "--store": options.store != nil, "--backup": migration.backup != nil,
      "--no-backup": migration.noBackup, "--allow-loss": migration.allowLoss != nil,
      "--no-proof": migration.noProof,
    ]
    let given = others.filter(\.value).keys.sorted()
    guard given.isEmpty else {
      throw ValidationError(
        "--matrix makes its own stores, proves every migration and allows every loss: leave out "
          + given.joined(separator: ", "))
    }
  }

  func runMatrix() throws {
    let pairs = try MigrationMatrix(
      Workspace(model: options.model), from: options.model.modelVersion, to: migration.to,
      migrations: migration.migrations)
    let outcomes = try Progress("pairs").following { report in
      try pairs.run(matrix.sample, progress: report)
    }
    try FactWriter(format).print(MatrixFacts.facts(of: outcomes))
    Terminal.report(pairs.notes)
    Terminal.err.write(MatrixFacts.summary(of: outcomes, models: pairs.modelCount) + "\n")
    let failing = outcomes.contains {
      switch $0.result.verdict {
      case .refused, .failed: true
      case .proved, .conditional, .same: false
      }
    }
    if failing { throw CheckFound() }
  }
}
