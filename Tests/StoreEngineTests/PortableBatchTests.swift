import StoreDiagnostics
import Foundation
import PlainSQLite
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreDiagnostics
@testable import StoreEngine
@testable import StoreLayout
@testable import StoreSQL

/// What `--sql` prints leaves the same store, in the engine that it is for, as the request itself.
@Suite struct PortableBatchTests {
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

    /// Direct and by key; the other side of relationships of every kind; lists, bytes and texts that need care.
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

    func script(
      for dialect: SQLDialect, _ store: Store, _ layout: StoreLayout
    ) throws -> SQLScript {
      switch self {
      case .update(let plan): try store.script(of: plan, in: layout, for: dialect)
      case .delete(let plan): try store.script(of: plan, in: layout, for: dialect)
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

  /// What a store holds once `body` has been at a copy of it; the time of a transaction is that of its making.
  private func content(
    after body: (String) throws -> Void, on made: GraphStore
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("Copy.sqlite")
    try made.store.copyForDryRun(to: FilePath(path))
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
        let store = try Store.open(FilePath(path), .writing)
        try plan.run(on: store, made.layout)
        try store.close()
      }, on: made)
    let before = try content(after: { _ in }, on: made)
    for dialect in [SQLDialect.sqlite, .rqlite, .d1] {
      let script = try plan.script(for: dialect, made.store, made.layout)
      #expect(try content(after: { _ in }, on: made) == before, "a script changes nothing")
      let engine = { (path: String) in
        NarrowEngine(path, longestStatement: dialect == .d1 ? 100_000 : nil)
      }
      guard dialect != .sqlite else {
        let found = try content(
          after: { try PlainDatabase($0).execute(script.text) }, on: made)
        #expect(found == expected, "\(script.text)")
        continue
      }
      let found = try content(
        after: { try engine($0).run(script.statements.map(\.sql.literalText)) }, on: made)
      #expect(found == expected, "\(script.text)")
      let byJSON = try content(after: { try engine($0).run(json: script.json) }, on: made)
      #expect(byJSON == expected, "\(script.json)")
    }
  }

  @Test func aStoreThatHasGoneOnIsRefused() throws {
    let made = try sample(keepsHistory: true)
    let plan = try plan(.update("Thing", ["flag=true"]), on: made)
    let script = try plan.script(for: .d1, made.store, made.layout)
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
          #expect(throws: PlainDatabase.Failure.self) {
            try NarrowEngine(path).run(script.statements.map(\.sql.literalText))
          }
        }, on: made)
      #expect(after == edited && after != before)
    }
  }

  /// A script is for rows that match, not for those that matched.
  @Test func rowsThatCameMeanwhile() throws {
    let made = try sample()
    let plan = try plan(.delete("Thing", where: "key IN {\"cup\", \"jar\", \"fan\"}"), on: made)
    let script = try plan.script(for: .d1, made.store, made.layout)
    let left = try content(
      after: { path in
        try PlainDatabase(path).execute(
          "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZKEY) VALUES (99, 6, 1, 'new')")
        try NarrowEngine(path).run(script.statements.map(\.sql.literalText))
      }, on: made
    ).filter { $0.hasPrefix("ZTHING: ") }
    #expect(left.count == 1 && left[0].contains("'new'"))
  }

  /// A half-sent script is seen, and goes on where it has stopped.
  @Test func goesOnBehindTheLastAnswer() throws {
    let made = try sample(keepsHistory: true)
    let plan = try plan(.update("Thing", ["owner:=(key == \"Bob\")"]), on: made)
    let script = try plan.script(for: .rqlite, made.store, made.layout)
    let statements = script.statements.map(\.sql.literalText)
    let expected = try content(after: { try NarrowEngine($0).run(statements) }, on: made)
    for stop in statements.indices {
      let resumed = try content(
        after: { path in
          let engine = NarrowEngine(path)
          try engine.run(Array(statements[..<stop]))
          let isMarked = try PlainDatabase(path).content().contains {
            $0.hasPrefix("table storetool_unfinished")
          }
          // The first ones only ask.
          let begin = try #require(
            statements.firstIndex { $0.contains("CREATE TABLE storetool_unfinished") })
          #expect(isMarked == (stop > begin))
          if isMarked {
            #expect(throws: PlainDatabase.Failure.self, "from the start once more") {
              try engine.run(statements)
            }
          }
          try engine.run(Array(statements[stop...]))
        }, on: made)
      #expect(resumed == expected, "stopped behind \(stop)")
    }
  }

  private func message(
    _ request: Request, for dialect: SQLDialect, editing sql: String? = nil
  ) throws -> String {
    let made = try sample()
    let plan = try plan(request, on: made)
    if let sql { try made.file.edit(sql) }
    do {
      _ = try plan.script(for: dialect, made.store, made.layout)
      return "none"
    } catch let error as any DiagnosableError {
      return error.diagnostics.map { "\($0.code): \($0.message)" }.joined(separator: "\n")
    }
  }

  @Test func whatCannotBeSaid() throws {
    for dialect in SQLDialect.allCases {
      #expect(
        try message(.delete("Thing", where: "key MATCHES \"c.*\""), for: dialect) == """
          script.own-function: MATCHES can't be said in SQL that other engines know: it needs TEXT_MATCHES (find the rows)
          """)
    }
    #expect(
      try message(.update("Thing", ["weight:=ratio"]), for: .d1) == """
        script.own-function: a computed Float can't be said in SQL that other engines know: it needs NUMBER_SINGLE (asks whether a row would get a value that it must not)
        """)
    #expect(
      try message(
        .delete("Thing", where: "key == \"cup\""), for: .d1,
        editing: "CREATE TABLE storetool_deleted_ZTHING (a)") == """
          script.name-taken: the store has a table 'storetool_deleted_ZTHING', which the script needs for itself
          """)
    #expect(
      try message(
        .update("Thing", ["flag=true"]), for: .rqlite,
        editing: "CREATE TABLE storetool_unfinished (script)") == """
          script.unfinished: the store has a table 'storetool_unfinished': a script has begun here and not come to its end
          """)
  }

  /// D1 takes statements of 100,000 bytes, so that longer values come in pieces.
  @Test(arguments: [49_000, 49_950, 50_100, 120_000, 400_000])
  func longValuesComeInPieces(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let text = String(repeating: "aé'\u{301}☕️\n", count: count / 14)
    for value in ["data=\(Data(bytes).base64EncodedString())", "text=\(text)"] {
      let made = try sample()
      let plan = try plan(.update("Thing", [value], where: "key == \"jar\""), on: made)
      let expected = try content(
        after: { path in
          let store = try Store.open(FilePath(path), .writing)
          try plan.run(on: store, made.layout)
          try store.close()
        }, on: made)
      let script = try plan.script(for: .d1, made.store, made.layout)
      #expect(script.statements.allSatisfy { $0.sql.literalText.utf8.count <= 100_000 })
      let found = try content(
        after: {
          try NarrowEngine($0, longestStatement: 100_000)
            .run(script.statements.map(\.sql.literalText))
        }, on: made)
      #expect(found == expected)
      let byJSON = try content(
        after: { try NarrowEngine($0, longestStatement: 100_000).run(json: script.json) },
        on: made)
      #expect(byJSON == expected)
    }
  }
}
