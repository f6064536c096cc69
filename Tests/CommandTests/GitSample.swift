import Foundation
import TestSupport
import Testing

/// A repository with a branch `main` and a model in a subfolder. The names of both contain spaces and letters beyond
/// ASCII.
struct GitSample {
  private let folder: TemporaryFolder
  /// Runs lines at the top of the work tree.
  let shell: BuiltCommand

  static let bundle = "My App/Modèles/To do.xcdatamodeld"
  static let file = "\(bundle)/To do.xcdatamodel/contents"

  /// - Parameter installs: whether this program is installed as the merge driver.
  init(installs: Bool = true) throws {
    folder = try TemporaryFolder()
    let top = folder.url.appendingPathComponent("my repo ü")
    try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
    shell = BuiltCommand(in: top)
    try run("git init -q -b main .")
    if installs { try run("storetool git install") }
    try write(["done", "name"])
    try commit("base")
  }

  /// Runs a line that must succeed, and returns its output.
  @discardableResult
  func run(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let outcome = try shell.run(line)
    #expect(
      outcome.status == 0, "\(line)\n\(outcome.output)\(outcome.errors)",
      sourceLocation: sourceLocation)
    return outcome.output
  }

  func commit(_ message: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try run("git add -A && git commit -q -m '\(message)'", sourceLocation: sourceLocation)
  }

  /// Creates a branch from another one, with one commit.
  func branch(_ name: String, at start: String = "main", attributes: [String]) throws {
    try run("git checkout -q -b \(name) \(start)")
    try write(attributes)
    try commit(name)
  }

  /// Writes the model in Xcode's order, with one line for each attribute.
  func write(_ attributes: [String], to path: String = file) throws {
    let lines = attributes.sorted().map {
      #"        <attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    try write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Item" representedClassName="Item" syncable="YES">
      \(lines.joined(separator: "\n"))
          </entity>
      </model>
      """, to: path)
  }

  func write(_ text: String, to path: String) throws {
    let file = shell.workingDirectory.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  func text(_ path: String = file) throws -> String {
    try String(
      contentsOf: shell.workingDirectory.appendingPathComponent(path), encoding: .utf8)
  }

  /// Expects a valid model with these attributes, and an index without conflicts.
  func expectAttributes(
    _ names: [String], in path: String = file, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try text(path).matches(of: #/<attribute name="(\w+)"/#).map { String($0.output.1) }
    #expect(found.sorted() == names.sorted(), sourceLocation: sourceLocation)
    try run("storetool model check '\(path)'", sourceLocation: sourceLocation)
    #expect(try run("git ls-files -u") == "", sourceLocation: sourceLocation)
  }
}
