import Foundation
import SeededRandom
import TestSupport
import Testing

/// `model check` and `migrate` report the same errors of a definition at the same positions.
@Suite struct DefinitionMismatchTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    for (name, entities) in DefinitionMismatches.versions {
      try samples.folder.write(
        "<?xml version=\"1.0\"?>\n<model>\(entities)</model>\n",
        to: "App/Shop.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try samples.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>C.xcdatamodel</string></dict></plist>
      """, to: "App/Shop.xcdatamodeld/.xccurrentversion")
    try samples.expect(
      "storetool create Shop.sqlite --model App/Shop.xcdatamodeld --model-version A")
  }

  private func write(_ definition: String) throws {
    try samples.folder.write(definition, to: "Migrations/Shop/A--B.xml")
  }

  private func checkErrors() throws -> [String] {
    errors(in: try samples.shell.run("storetool model check App/Shop.xcdatamodeld").output)
  }

  /// Returns the errors of a migration. A rejected migration doesn't change the store.
  private func migrateErrors(to version: String) throws -> [String] {
    errors(
      in: try samples.shell.run(
        "storetool migrate Shop.sqlite --no-backup --model App/Shop.xcdatamodeld --to \(version)"
      ).errors)
  }

  /// Returns positions and codes, without the codes that only `model check` reports.
  private func errors(in output: String) -> [String] {
    output.matches(of: /(?m)^(?:(\S.*?:\d+:\d+): )?error: .* \[([a-z.-]+)\]$/).map { match in
      "\(match.1 ?? "") \(match.2)"
    }.filter { !$0.contains(" model.") }
  }

  @Test func neitherReportsASoundDefinition() throws {
    try write(DefinitionMismatches.soundXML)
    #expect(try checkErrors() == [])
    #expect(try migrateErrors(to: "B") == [])
    #expect(try migrateErrors(to: "C") == [])
  }

  @Test(arguments: 0..<Soak.times(2)) func bothReportTheSameErrors(_ group: Int) throws {
    for seed in UInt64(group * 20)..<UInt64(group * 20 + 20) {
      let mistakes = DefinitionMismatches(seed: seed)
      try write(mistakes.xml)
      let found = try checkErrors()
      let context = "seed \(seed), \(mistakes.kind):\n\(mistakes.xml)"
      #expect(!found.isEmpty, "\(context)")
      for version in ["B", "C"] {
        #expect(try migrateErrors(to: version) == found, "\(context)")
      }
    }
  }
}
