import TestSupport
import Testing

/// Files whose names differ by normalization alone, or aren't UTF-8: no command takes one for another.
@Suite(
  .enabled(if: SampleFolder.canRun(#"touch $'\xff' $'e\u301' $'\u00e9' && [ $(ls | wc -l) = 4 ]"#)))
struct OddPathTests {
  /// As bash writes them.
  private static let names = [
    #"$'Caf\u00e9'"#, #"$'Cafe\u0301'"#, #"$'Caf\xe9'"#, #"$'\xff'"#, #"$'\xfe'"#,
  ]

  /// One store for each name, each with one row that holds the name's number.
  private func stores() throws -> SampleFolder {
    let samples = try SampleFolder()
    try samples.expect("mv Models/Todo.xcdatamodeld . && rm -r Models")
    for (number, name) in Self.names.enumerated() {
      try samples.expect("storetool create \(name).sqlite")
      try samples.expect("storetool insert Item name=\(number) --store \(name).sqlite")
    }
    return samples
  }

  private func expectOwnRows(_ samples: SampleFolder, _ suffix: String = "") throws {
    for (number, name) in Self.names.enumerated() {
      let rows = try samples.expect(
        "storetool fetch Item --select name --format csv --no-header --store \(name).sqlite")
      #expect(rows == "\(number)\(suffix)\n", "\(name)")
    }
  }

  @Test(
    "each command works on the store, the model or the file that is named",
    arguments: [
      "info", "verify", "export Item", "templates", "explain fetch Item", "migrate status",
      "migrate plan --to Todo --allow-loss all", "compact", "anonymize --print-rules",
    ])
  func reads(command: String) throws {
    let samples = try stores()
    for name in Self.names { try samples.expect("storetool \(command) --store \(name).sqlite") }
    try expectOwnRows(samples)
    #expect(try samples.expect("ls | wc -l") == "\(Self.names.count + 1)\n")
  }

  @Test func writesGoToTheNamedStore() throws {
    let samples = try stores()
    for (number, name) in Self.names.enumerated() {
      let store = "--store \(name).sqlite"
      try samples.expect(#"echo '{"name":"batch \#(number)"}' > \#(name).ndjson"#)
      try samples.expect("storetool batch-insert Item \(name).ndjson \(store)")
      try samples.expect("storetool import \(name).ndjson --entity Item \(store)")
      try samples.expect("storetool batch-delete Item --where 'name BEGINSWITH \"batch\"' \(store)")
      try samples.expect(#"storetool batch-update Item 'name:=name + "!"' \#(store)"#)
      try samples.expect("storetool compact \(store)")
      try samples.expect("storetool verify \(store)")
    }
    try expectOwnRows(samples, "!")
  }

  @Test func outputsGetTheNamedPath() throws {
    let samples = try stores()
    for name in Self.names {
      let store = "--store \(name).sqlite"
      try samples.expect("storetool anonymize --print-rules \(store) > \(name).rules")
      try samples.expect("head -c 32 /dev/zero > \(name).key")
      try samples.expect(
        "storetool anonymize --rules \(name).rules --key-file \(name).key --output \(name).copy \(store)"
      )
      try samples.expect("storetool verify --store \(name).copy")
      try samples.expect(
        "storetool generate --output \(name).generated && test -d \(name).generated")
      try samples.expect("storetool model docs -o \(name).md && test -f \(name).md")
      try samples.expect(
        "storetool model diagram -o \(name).svg --format svg && test -f \(name).svg")
      try samples.expect("storetool model compile -o \(name).momd && test -d \(name).momd")
      try samples.expect("storetool model hash --model \(name).momd")
      try samples.expect(
        "storetool model decompile --model \(name).momd -o \(name).xcdatamodeld && test -d \(name).xcdatamodeld"
      )
      try samples.expect("storetool model check --model \(name).xcdatamodeld")
      try samples.expect("storetool model format \(name).xcdatamodeld")
      try samples.expect(
        "storetool migrate --to Todo --allow-loss all --backup \(name).backup \(store) --model Todo.xcdatamodeld && test -f \(name).backup"
      )
      try samples.expect("rm -r \(name).xcdatamodeld \(name).momd \(name).copy")
    }
    try expectOwnRows(samples)
  }

  @Test func eachTakesStoresByTheirBytes() throws {
    let samples = try stores()
    let count = Self.names.count
    try samples.expect("mkdir stores $'stores/\\xff' && mv *.sqlite stores")
    try samples.expect("cp stores/$'\\xfe'.sqlite stores/$'\\xff'/in.sqlite")
    try samples.expect(
      "storetool each stores --journal $'j\\xff' -- batch-update Item name=x")
    let total =
      "storetool each stores -- fetch Item --where 'name == \"x\"' --count 2>&1 >/dev/null"
    #expect(try samples.expect(total).contains("\(count + 1) in all"))
    // A second run finds each store in the journal.
    let again = try samples.shell.run(
      "storetool each stores --journal $'j\\xff' -- batch-update Item name=x")
    #expect(again.errors.contains("\(count + 1) done before"), "\(again.errors)")
    // A list, and the placeholders of a command.
    let list = try samples.shell.run(
      "find stores -name '*.sqlite' -print0 | storetool each --from - -- "
        + "anonymize --print-rules --dry-run")
    #expect(list.status == 64 || list.errors.contains("\(count + 1) stores"), "\(list.errors)")
    try samples.expect(
      "storetool each stores -- migrate --to Todo --allow-loss all --backup '{store.folder}/{store.name}.old'"
    )
    #expect(try samples.expect("find stores -name '*.old' | wc -l") == "\(count + 1)\n")
  }

  @Test("a missing file is never replaced by one with a similar name")
  func missingFile() throws {
    let samples = try stores()
    try samples.expect(
      "printf 'name\\nWRONG\\n' > $'in\\u00e9.csv'; cp $'in\\u00e9.csv' $'in\\ufffd.csv'")
    for name in [#"$'in\xe9.csv'"#, #"$'ine\u0301.csv'"#, #"$'in\xff.csv'"#] {
      for command in ["batch-insert Item \(name)", "import \(name) --entity Item"] {
        let outcome = try samples.shell.run("storetool \(command) --store $'\\xff'.sqlite")
        #expect(outcome.status == 66, "\(command): \(outcome.errors)")
      }
    }
    try expectOwnRows(samples)
  }

  @Test(
    "text that isn't UTF-8 is refused",
    arguments: [
      #"fetch Item --where $'name == "\xff"' --store $'\xff'.sqlite"#,
      #"insert Item $'name=\xff' --store $'\xff'.sqlite"#, #"fetch $'\xff' --store $'\xff'.sqlite"#,
      #"each $'\xff'.sqlite -- insert Item $'name=\xff'"#,
    ])
  func textNotUTF8(command: String) throws {
    let samples = try stores()
    let outcome = try samples.shell.run("storetool \(command)")
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("[usage.not-utf8]"), "\(outcome.errors)")
    #expect(outcome.errors.contains(#"\xFF"#), "\(outcome.errors)")
    try expectOwnRows(samples)
  }
}
