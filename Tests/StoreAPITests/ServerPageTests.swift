import Foundation
import TestSupport
import Testing

/// The page "A server" shows the code that `Examples/TeaServer` compiles and tests.
struct ServerPageTests {
  @Test func isWhatIsCompiled() throws {
    let root = BuiltCommand.repository
    let sources = root.appendingPathComponent("Examples/TeaServer/Sources/TeaServer")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    let program = try swift.map { unindented(try String(contentsOf: $0, encoding: .utf8)) }
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/StoreEngine/StoreEngine.docc/Server.md"),
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count == 14)
    for block in blocks {
      #expect(program.contains { $0.contains(unindented(block)) }, "\(block)")
    }
  }

  @Test func showsContainerfile() throws {
    let root = BuiltCommand.repository
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/StoreEngine/StoreEngine.docc/Server.md"),
      encoding: .utf8)
    let file = try String(
      contentsOf: root.appendingPathComponent("Examples/TeaServer/Containerfile"), encoding: .utf8)
    let block = page.components(separatedBy: "```dockerfile\n").last?
      .components(separatedBy: "```").first
    #expect(
      file.split(separator: "\n").filter { !$0.hasPrefix("#") }
        == block?.split(separator: "\n"))
  }

  /// Returns the text without the indentation of the program.
  private func unindented(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}
