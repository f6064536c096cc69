@testable import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// The SQL that `--sql` prints has the same result as the request itself.
@Suite struct BatchScriptTests {
  enum Request: CustomTestStringConvertible {
    case update(String, [String], where: String? = nil)
    case delete(String, where: String? = nil)

    var testDescription: String {
      switch self {
      case .update(let entity, let values, let predicate):
        "update \(entity) \(values.joined(separator: " ")) where \(predicate ?? "TRUE")"
      case .delete(let entity, let predicate): "delete \(entity) where \(predicate ?? "TRUE")"
      }
    }

    /// Updates with and without keys, the inverse of every kind of relationship, lists, bytes, and strings that need
    /// escaping.
    static let all: [Request] = [
      .update("Thing", ["flag=true"]),
      .update("Thing", ["text=it's; -- \u{301}'\u{301}\n☕️"], where: "count16 > 3"),
      .update("Thing", ["text:=key", "count32:=count16 * 2"]),
      .update("Thing", ["ratio=0.1", "price=12.34", "made=2026-01-02T03:04:05Z"]),
      .update("Thing", ["data=AAECAwQFBgcI"]),
      .update("Thing", ["text:=owner.key"]),
      .update("Thing", ["owner:=(key == \"Ann\")"]),
      .update("Thing", ["parent:=(key == \"jar\")"], where: "key != \"jar\""),
      .update("Person", ["passport:=(key == \"PA\")"], where: "key == \"Bob\""),
      .update("Person", ["spouse:=(key == \"Bob\")"], where: "key == \"Ann\""),
      .update("Being", ["note=n"], where: "key IN {\"Ann\", \"R2\"}"),
      .update("Thing", ["text=x"], where: "key IN {\(many)}"),
      .update("Thing", ["text=x"], where: "key == \"nothing\""),
      .delete("Thing"),
      .delete("Thing", where: "key == \"cup\""),
      .delete("Thing", where: "key IN {\(many)}"),
      .delete("Person", where: "key == \"Bob\""),
      .delete("Being", where: "note == \"c\""),
      .delete("Tag"),
      .delete("Gadget", where: "key == \"nothing\""),
    ]

    private static let many =
      (["\"cup\"", "\"fan\""] + (0..<6000).map { "\"no such key \($0)\"" }).joined(separator: ", ")
  }

  private enum Plan {
    case update(UpdatePlan)
    case delete(DeletePlan)

    func run(on store: Store, _ layout: StoreLayout) throws {
      switch self {
      case .update(let plan): _ = try store.update(by: plan, in: layout)
      case .delete(let plan): _ = try store.delete(plan, in: layout)
      }
    }

    func script(_ store: Store, _ layout: StoreLayout) throws -> SQLScript {
      switch self {
      case .update(let plan): try store.script(of: plan, in: layout)
      case .delete(let plan): try store.script(of: plan, in: layout)
      }
    }
  }

  private func plan(_ request: Request, on made: GraphStore) throws -> Plan {
    switch request {
    case .update(let entity, let values, let predicate):
      return .update(try made.updatePlan(entity, values, where: predicate))
    case .delete(let entity, let predicate):
      let request = BatchDelete(
        entity: entity,
        predicate: try predicate.map { try PredicateText($0, context: "").predicate() },
        includesSubentities: true, rules: .model)
      return .delete(try request.plan(in: made.layout, storeUUID: made.store.metadata.uuid))
    }
  }

  /// Returns the contents of a copy of the store after `body` has run on it. The time of a transaction is replaced,
  /// because it depends on when the script was created.
  private func content(
    after body: (String) throws -> Void, on made: GraphStore
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("Copy.sqlite")
    try made.store.copyForDryRun(to: LocalPath(path))
    try body(path)
    return try withExtendedLifetime(folder) {
      try PlainDatabase(path).content()
        .map { $0.replacing(/^ATRANSACTION: (.*)real [0-9.e+]+/) { "ATRANSACTION: \($0.1)now" } }
    }
  }

  private func sample(keepsHistory: Bool = false) throws -> GraphStore {
    let made = try GraphStore.sample()
    try made.file.edit(
      "UPDATE ZTHING SET ZOWNER = 1, ZPARENT = 2 WHERE ZKEY IN ('cup', 'fan')")
    if keepsHistory { try made.file.keepHistory() }
    return made
  }

  @Test(arguments: Request.all, [false, true])
  func leavesWhatTheRequestLeaves(_ request: Request, keepsHistory: Bool) throws {
    let made = try sample(keepsHistory: keepsHistory)
    let plan = try plan(request, on: made)
    let expected = try content(
      after: { path in
        let store = try Store.open(LocalPath(path), .writing)
        try plan.run(on: store, made.layout)
        try store.close()
      }, on: made)
    let before = try content(after: { _ in }, on: made)
    let script = try plan.script(made.store, made.layout)
    #expect(try content(after: { _ in }, on: made) == before, "a script must not change rows")
    let found = try content(after: { try PlainDatabase($0).execute(script.text) }, on: made)
    #expect(found == expected, "\(script.text)")
  }

  @Test func aStoreThatHasGoneOnIsRefused() throws {
    let made = try sample(keepsHistory: true)
    let plan = try plan(.update("Thing", ["flag=true"]), on: made)
    let script = try plan.script(made.store, made.layout)
    let before = try content(after: { _ in }, on: made)
    for edit in [
      "UPDATE Z_METADATA SET Z_PLIST = x'00'",
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16001, 'CHANGE', 0, 7)",
    ] {
      var edited: [String] = []
      let after = try content(
        after: { path in
          try PlainDatabase(path).execute(edit)
          edited = try PlainDatabase(path).content()
          #expect(throws: PlainDatabase.SQLiteError.self) {
            try PlainDatabase(path).execute(script.text)
          }
        }, on: made)
      #expect(after == edited && after != before)
    }
  }

  /// A script applies to the rows that match when it runs, including rows that were inserted later.
  @Test func rowsThatCameMeanwhile() throws {
    let made = try sample()
    let plan = try plan(.delete("Thing", where: "key IN {\"cup\", \"jar\", \"fan\"}"), on: made)
    let script = try plan.script(made.store, made.layout)
    let left = try content(
      after: { path in
        try PlainDatabase(path).execute(
          "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZKEY) VALUES (99, 6, 1, 'new')")
        try PlainDatabase(path).execute(script.text)
      }, on: made
    ).filter { $0.hasPrefix("ZTHING: ") }
    #expect(left.count == 1 && left[0].contains("'new'"))
  }

  private func message(
    _ request: Request
  ) throws -> String {
    let made = try sample()
    let plan = try plan(request, on: made)
    do {
      _ = try plan.script(made.store, made.layout)
      return "none"
    } catch let error as any DiagnosableError {
      return error.diagnostics.map { "\($0.code): \($0.message)" }.joined(separator: "\n")
    }
  }

  @Test func refusesOurFunctions() throws {
    #expect(
      try message(.delete("Thing", where: "key MATCHES \"c.*\"")) == """
        script.own-function: MATCHES can't be printed as standard SQL, because it requires TEXT_MATCHES, in the step 'find the rows'
        """)
    #expect(
      try message(.update("Thing", ["weight:=ratio"])) == """
        script.own-function: a computed Float can't be printed as standard SQL, because it requires NUMBER_SINGLE, in the step 'checks whether a row would receive an invalid value'
        """)
  }
}
