import TestSupport
import Testing

/// In the command of `each`, file names are data. They can't change a predicate or the options.
struct PlaceholderTests {
  private let samples: SampleFolder

  private static let injection = #"x" OR TRUEPREDICATE OR "" == ""#

  /// - Parameter name: the name of the only store, without its extension.
  private static func samples(_ name: String) throws -> SampleFolder {
    let samples = try SampleFolder()
    try samples.folder.write(name, to: "name")
    try samples.expect(
      """
      storetool create one.sqlite --model Models/Todo.xcdatamodeld
      for item in a b; do storetool insert Item name=$item --store one.sqlite; done
      mkdir S && mv one.sqlite "S/$(cat name).sqlite"
      """)
    return samples
  }

  init() throws { samples = try Self.samples(Self.injection) }

  private static let delete = "storetool each S -- batch-delete Item --format csv"
  private static let count = "storetool each S -- fetch Item --count --format csv --no-header"

  @Test(arguments: [
    #"--where 'name == "{store.name}"'"#, "--where 'name == {store.name}'",
    #"--where='name == "{store.name}"'"#, #"--where "name == '{store.name}'""#,
    #"--where 'name == "\x" OR name == "\{store.name}"'"#,
  ])
  func predicateIsNotChangedByTheNameOfAFile(_ option: String) throws {
    try samples.expect("\(Self.delete) \(option)")
    #expect(try samples.expect(Self.count).hasSuffix(",2\n"))
  }

  @Test func otherExpressionsAreNotChanged() throws {
    let name = Self.injection
    try samples.expect("storetool each S -- batch-update Item 'name={store.name}'")
    try samples.expect("storetool each S -- insert Item 'name:={store.name}'")
    let found = try samples.expect(
      """
      storetool each S -- fetch Item --where 'name == {store.name}' --sort '"{store.name}"' \
      --select '"{store.name}!" AS n' --group-by name --having 'count(*) > 0 AND name == {store.name}' \
      --format ndjson | cut -d, -f2-
      """)
    #expect(found == #""n":"\#(name.replacing("\"", with: #"\""#))!"}"# + "\n")
  }

  @Test(arguments: [" (TRUEPREDICATE)", "(name == \"a\")"])
  func literalNeverBecomesAPredicate(name: String) throws {
    let samples = try Self.samples(name)
    let outcome = try samples.shell.run(
      "storetool each S -- batch-update Item 'name={store.name}'")
    #expect(outcome.errors.contains("[each.placeholder]"), "\(outcome.errors)")
    #expect(outcome.status == 1)
    let written = try samples.shell.run("storetool each S -- insert Item 'name=({store.name})'")
    #expect(written.errors.contains("[each.placeholder]"), "\(written.errors)")
  }

  @Test func wordNeverBecomesAnOption() throws {
    let samples = try Self.samples("--all")
    let outcome = try samples.shell.run("\(Self.delete) '{store.name}'")
    #expect(outcome.status != 0, "\(outcome.output)")
    let option = try samples.shell.run("storetool each S -- batch-delete Item '--{store.name}'")
    #expect(option.errors.contains("[each.placeholder]"), "\(option.errors)")
    let file = try samples.shell.run("storetool each S -- import '{store.name}'")
    #expect(file.errors.contains("is '--all' for this store"), "\(file.errors)")
    #expect(try samples.expect(Self.count).hasSuffix(",2\n"))
  }

  /// The path of a store can begin with `-`.
  @Test func storeNeverBecomesAnOption() throws {
    let samples = try Self.samples("--all")
    let found = try samples.expect(
      """
      cd S; echo --all.sqlite | storetool each --from - -- fetch Item --limit 1 --format csv \
      --no-header --select '"{store.path}" AS p, "{store.folder}" AS f'
      """)
    #expect(found == "--all.sqlite,./--all.sqlite,.\n")
  }
}
