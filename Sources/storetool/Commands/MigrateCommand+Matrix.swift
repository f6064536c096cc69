import ArgumentParser
import StoreMigration

extension MigrateCommand {
  func validateMatrix() throws {
    if let rows, !(1...1000).contains(rows) { throw ValidationError("--rows takes 1 to 1000") }
    guard mode == .matrix else {
      if rows != nil || seed != nil || all {
        throw ValidationError("--all, --rows and --seed go with --matrix")
      }
      return
    }
    let others = [
      "--store": store != nil, "--backup": backup != nil,
      "--no-backup": noBackup, "--allow-loss": allowLoss != nil,
      "--no-proof": noProof, "--via": !via.isEmpty,
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
      workspace, from: modelVersion, to: to, isComplete: all, migrations: migrations)
    let outcomes = try Progress("pairs").following { report in
      try pairs.run(PairTrial.Sample(rows: rows ?? 10, seed: seed ?? 1), progress: report)
    }
    try FactWriter(format ?? .standard).print(MatrixFacts.facts(of: outcomes))
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
