import Foundation
import TestSupport
import Testing

/// A renumbering that is killed before any of its calls: both sides have a file, and the same command completes it.
@Suite(.enabled(if: Fault.isAvailable, "no library can be loaded into a command here"))
struct RenumberKillTests {
  private let samples: SampleFolder

  private static let bundle = "Models/Todo.xcdatamodeld"
  private static let words = [
    "model", "renumber", "Todo 3", "Todo 4", "--model", bundle, "--theirs", "theirs.xml", "--keep",
  ]

  init() throws {
    samples = try SampleFolder()
    try samples.expect(
      """
      cd \(Self.bundle); cp -R 'Todo 2.xcdatamodel' 'Todo 3.xcdatamodel'
      sed 's|<attribute name="note" .*/>|<attribute name="note" attributeType="String"/>|' \
        'Todo 2.xcdatamodel/contents' > ../../theirs.xml
      sed -i.old '/name="note"/a <attribute name="size" optional="YES" attributeType="Double"/>' \
        'Todo 3.xcdatamodel/contents'
      rm 'Todo 3.xcdatamodel/contents.old'; cd ../..; cp -R \(Self.bundle) before
      """)
  }

  @Test(arguments: ["ours", "theirs"])
  func killedBeforeEachCall(keeping side: String) throws {
    let words = Self.words + [side]
    let ours = try contents("Todo 3"), theirs = try bytes("theirs.xml")
    let total = samples.folder.path("total")
    #expect(
      try samples.run(words, environment: Fault.counting(.files, into: total)).status == 0)
    let calls = try #require(Int(String(contentsOfFile: total, encoding: .utf8)))
    let after = try state()
    #expect(try contents("Todo 3") == (side == "ours" ? ours : theirs))
    for call in 1...calls {
      try samples.expect("rm -rf \(Self.bundle); cp -R before \(Self.bundle)")
      let fault = Fault(counted: .files, call: call, action: .kill)
      #expect(try samples.run(words, environment: fault.environment).signal == SIGKILL)
      let hasOurs = try contents("Todo 3") == ours || contents("Todo 4") == after["Todo 4"]
      #expect(hasOurs, "call \(call) of \(calls)")
      // After the last call everything is in its place.
      let again = try samples.run(words)
      #expect(again.status == 0 || again.errors.contains("renumber.exists"), "\(call): \(again)")
      #expect(try state() == after, "call \(call) of \(calls): \(again)")
    }
  }

  private func bytes(_ path: String) throws -> Data? {
    FileManager.default.contents(atPath: samples.folder.path(path))
  }

  private func contents(_ version: String) throws -> Data? {
    try bytes("\(Self.bundle)/\(version).xcdatamodel/contents")
  }

  /// The content of all files of the bundle, those of the versions by the version's name.
  private func state() throws -> [String: Data] {
    let manager = FileManager.default
    var state: [String: Data] = [:]
    for path in try manager.subpathsOfDirectory(atPath: samples.folder.path(Self.bundle)) {
      let full = samples.folder.path("\(Self.bundle)/\(path)")
      guard let bytes = manager.contents(atPath: full) else { continue }
      state[path.replacing(".xcdatamodel/contents", with: "")] = bytes
    }
    return state
  }
}
