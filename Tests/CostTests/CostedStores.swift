import Foundation
import TestSupport

/// Stores with their models and input files. Each command of the ledger runs in a copy of a store's folder.
struct CostedStores {
  enum PreparationError: Error {
    case failed(String, String)
  }

  /// The name of each store, its model, and the commands that create its folder.
  private static let preparations = [
    (
      "Company", "Company",
      """
      storetool seed --create Department=20 Employee=1000 Manager=40
      storetool insert Department name=Sales
      storetool batch-update Employee 'department:=(name == "Sales")' --where 'age > 90'
      cp Company.sqlite Company-2.sqlite
      storetool batch-update Employee 'age:=age + 1' --where 'age < 20' --store Company-2.sqlite
      storetool anonymize --print-rules > rules.txt
      storetool export Employee --where 'age > 90' > records.ndjson
      printf '{"name": "Department %d"}\\n' {1..200} > departments.ndjson
      """
    ),
    (
      "League", "League",
      """
      storetool seed --create Team=50 Player=1000
      storetool fetch Team --select name,points --format ndjson > teams.ndjson
      printf '{"name": "Team %d"}\\n' {1..100} >> teams.ndjson
      """
    ),
    (
      "Todo", "Todo",
      """
      storetool create --model-version Todo
      storetool seed Item=1000
      """
    ),
    (
      "History", "Company",
      """
      CostedCalls 'create with history' History.sqlite
      storetool seed Department=20 Employee=1000
      storetool batch-update Employee age=30 --where 'age < 30'
      """
    ),
  ]

  private let folder: TemporaryFolder
  private let probe: CostProbe

  init() throws {
    folder = try TemporaryFolder()
    probe = try CostProbe(in: folder)
    for (store, model, commands) in Self.preparations {
      let models = folder.url.appendingPathComponent("\(store)/Models")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: BuiltCommand.repository.appendingPathComponent("Models/\(model).xcdatamodeld"),
        to: models.appendingPathComponent("\(model).xcdatamodeld"))
      let result = try shell(for: store, in: store).run("set -e\n\(commands)")
      guard result.status == 0 else { throw PreparationError.failed(store, result.errors) }
    }
  }

  private func shell(for store: String, in name: String) -> BuiltCommand {
    BuiltCommand(
      in: folder.url.appendingPathComponent(name),
      environment: probe.environment.merging(["STORETOOL_STORE": "\(store).sqlite"]) { $1 })
  }

  func cost(of command: String, on store: String) throws -> ProcessCost {
    let copy = folder.url.appendingPathComponent("copy")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: folder.url.appendingPathComponent(store), to: copy)
    return try probe.cost(of: command, in: shell(for: store, in: "copy"))
  }

  /// Returns the names of the calls of `CostedCalls`.
  func calls() throws -> [String] {
    try BuiltCommand(in: folder.url).run("CostedCalls").output.split(separator: "\n").map(
      String.init)
  }
}
