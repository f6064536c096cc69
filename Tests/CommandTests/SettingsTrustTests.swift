import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Settings files that other users of the machine control.
struct SettingsTrustTests {
  private let samples: SampleFolder

  /// The settings select a store for the commands in `Project/Sources`.
  init() throws {
    samples = try SampleFolder()
    try samples.expect(
      """
      mkdir -p Project/Sources && mv Models Project
      storetool create Project/Chosen.sqlite --model Project/Models/Todo.xcdatamodeld
      echo '{"store": "Chosen.sqlite", "model": "Models/Todo.xcdatamodeld"}' > Project/storetool.json
      """)
  }

  private func insert(_ variable: String = "") throws -> BuiltCommand.Result {
    try samples.shell.run("cd Project/Sources; \(variable) storetool insert Item name=a")
  }

  private func expectRefusal(_ code: String, _ sentence: String) throws {
    let outcome = try insert()
    #expect(outcome.status == 74)
    #expect(outcome.errors.hasPrefix("error: \(sentence) [\(code)]\n"), "\(outcome.errors)")
    #expect(try insert("STORETOOL_SETTINGS=").errors.contains("[store.none]"))
    let named = try insert("STORETOOL_SETTINGS=../storetool.json")
    #expect(named.status == 0, "\(named.errors)")
  }

  @Test func ownFileIsUsed() throws {
    let outcome = try insert()
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "note: the store is '../Chosen.sqlite', as '../storetool.json' specifies [settings.store]\n"
    )
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["", "-h"])
  func fileOfAnotherUserIsRefused(option: String) throws {
    try samples.expect(
      """
      cd Project; mv storetool.json other.json && ln -s other.json storetool.json
      chown \(option) 65534 storetool.json
      """)
    try expectRefusal("settings.other-owner", "'../storetool.json' belongs to another user")
    let outcome = try insert("SUDO_UID=65534")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func fileThatAllUsersMayWriteIsRefused() throws {
    try samples.expect("chmod 666 Project/storetool.json")
    try expectRefusal("settings.writable", "all users can write to '../storetool.json'")
  }

  @Test func fileInAFolderThatAllUsersMayWriteIsRefused() throws {
    try samples.expect("chmod 777 Project")
    try expectRefusal("settings.writable", "all users can write to '../'")
    try samples.expect("chmod 1777 Project")
    #expect(try insert().status == 0)
  }

  @Test func pipeIsRefused() throws {
    try samples.expect("mkfifo storetool.json")
    let ending = try samples.run(
      ["model", "check", "Project/Models/Todo.xcdatamodeld"], after: .seconds(60))
    #expect(ending.status == 74)
    #expect(
      ending.errors == "error: 'storetool.json' isn't a regular file [settings.not-a-file]\n")
  }
}
