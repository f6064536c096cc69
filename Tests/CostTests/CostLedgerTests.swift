import CSQLite
import Foundation
import TestSupport
import Testing

/// The recorded counts.
private enum CostLedger {
  static let sqliteVersion = String(cString: sqlite3_libversion())

  /// Whether the ledger was recorded with this version of SQLite, or is recorded now.
  static let isOfThisSQLite: Bool = {
    let ledger = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/ledger.txt")
    let text = try? String(contentsOf: ledger, encoding: .utf8)
    return text?.hasPrefix("SQLite \(sqliteVersion)\n") ?? true
      || ProcessInfo.processInfo.environment["GOLDEN"] == "record"
  }()
}

/// Compares the cost of commands and of calls of the libraries with a ledger.
///
/// The counts don't depend on the machine, but on SQLite's version, which the ledger contains. With another version, the
/// test is skipped. After an intended change, record the ledger and read the difference:
///
///     GOLDEN=record swift test --filter CostTests
@Suite(
  .enabled(if: CostProbe.isAvailable, "LD_PRELOAD isn't available"),
  .enabled(if: CostLedger.isOfThisSQLite, "the ledger belongs to another version of SQLite"))
struct CostLedgerTests {
  /// The commands that run on a copy of a store, by the name of the store and of its model.
  private static let commands: KeyValuePairs = [
    "Company": [
      "info",
      "verify",
      "compact",
      "fetch Employee --count",
      "fetch Employee --count --where 'age > 40'",
      "fetch Employee --count --where 'age > 40' --fail-on-empty",
      "fetch Employee --limit 1",
      "fetch Employee",
      "fetch Employee --format csv",
      "fetch Employee --format table",
      "fetch Employee --where 'name == \"Ada Adams\"'",
      "fetch Employee --where 'name CONTAINS[cd] \"an\"'",
      "fetch Employee --where 'name MATCHES \"A.*\"'",
      "fetch Employee --where 'department.name == \"Sales\"'",
      "fetch Employee --sort -age --limit 10",
      "fetch Employee --sort name",
      "fetch Employee --select 'name,department.name'",
      "fetch Employee --select age --distinct",
      "fetch Employee --group-by age --select 'age,count(*),max(salary)'",
      "fetch Employee --sections department.name --sort name",
      "fetch Department --where 'employees.@count > 10'",
      "fetch Department --where 'ANY employees.age > 60'",
      "fetch Department --where 'SUBQUERY(employees, $e, $e.age > 60).@count > 2'",
      "fetch Department --select 'name,employees.@avg.age'",
      "templates",
      "apply-template employeesInDepartment DEPARTMENT=Sales",
      "apply-template unassignedEmployees",
      "explain fetch Employee --where 'age > 40'",
      "show Employee/p1",
      "show Department/p1",
      "insert Department name=New",
      "batch-insert Department departments.ndjson",
      "batch-update Employee age=20",
      "batch-update Employee age=20 --dry-run",
      "batch-update Employee age=20 --where 'age > 60'",
      "batch-update Employee 'age:=age + 1' --where 'age < 50'",
      "batch-update Employee 'department:=(name == \"Sales\")' --where 'age > 60'",
      "batch-delete Employee --where 'age > 60'",
      "batch-delete Employee --where 'age > 60' --dry-run",
      "batch-delete Employee --all",
      "link Department.employees 'name == \"Sales\"' 'age > 60'",
      "unlink Department.employees TRUEPREDICATE 'age > 60'",
      "seed Employee=100",
      "export",
      "export Employee --where 'age > 40'",
      "import records.ndjson",
      "diff Company.sqlite Company-2.sqlite",
      "diff Company.sqlite Company-2.sqlite --rows",
      "diff Company.sqlite Company-2.sqlite --key Employee.name,age,salary",
      "anonymize --rules rules.txt --output Sample.sqlite",
      "model check",
    ],
    "League": [
      "fetch Team --where 'ANY players.goals > 10'",
      "fetch Player --where 'team.points > 10' --sort team.name,name",
      "apply-template teamsWithScorer GOALS=50",
      "batch-insert Team teams.ndjson --on-conflict update",
      "batch-delete Team --where 'points > 10'",
      "link Team.players 'objectID == \"x-coredata:///Team/p1\"' 'goals > 90' --at first",
      "verify",
      "export Team",
    ],
    "Todo": [
      "migrate status",
      "migrate plan",
      "migrate",
      "migrate --backup Before.sqlite",
    ],
    "History": [
      "history",
      "history --changes",
      "history --statistics",
      "diff --since 1",
      "batch-update Employee age=20 --where 'age > 60'",
      "batch-delete Employee --where 'age > 60'",
      "insert Department name=New",
    ],
  ]

  @Test func costsAreTheLedgers() throws {
    let stores = try CostedStores()
    var lines = [
      "SQLite \(CostLedger.sqliteVersion)",
      ProcessCost.line(ProcessCost.columns, "command or call"),
    ]
    func add(_ name: String, _ command: String, on store: String) throws {
      let cost = try stores.cost(of: command, on: store)
      lines.append(ProcessCost.line(cost.counts.map(String.init), name))
    }
    for (store, commands) in Self.commands {
      lines += ["", store]
      for command in commands { try add(command, "storetool \(command)", on: store) }
    }
    lines += ["", "StoreEngine, on Company"]
    for call in try stores.calls() {
      try add(call, "CostedCalls '\(call)' Company.sqlite", on: "Company")
    }
    Golden.expect(lines.joined(separator: "\n") + "\n", matches: "ledger.txt")
  }
}
