import Foundation
import StoreCodegen
import StoreDiagnostics
import StoreModelReader
import TestSupport
import Testing

/// Classes for Core Data and SwiftData: their text and the diagnostics. The compiler must accept them with stubs in
/// place of Apple's frameworks.
struct AppleSourceTests {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let samples = here.appendingPathComponent("../../Models").standardized

  private static let models =
    ["BubbleTea", "Company", "Journal", "League", "People", "Shop", "Todo"].map {
      samples.appendingPathComponent("\($0).xcdatamodeld")
    }
    + ["Depot.xcdatamodeld", "Library.xcdatamodeld", "Names.xcdatamodel"].map {
      here.appendingPathComponent("Models/\($0)")
    }

  private static func model(_ name: String) -> URL {
    models.first { $0.deletingPathExtension().lastPathComponent == name } ?? here
  }

  // MARK: Text

  @Test(
    arguments: ["BubbleTea", "Depot", "Names", "Todo"], [SourceStyle.managedObjects, .swiftData])
  func text(name: String, style: SourceStyle) throws {
    let compiled = try ModelCompiler(ModelBundle(at: Self.model(name).path), style: style).compile()
    Golden.expect(compiled.text, matches: "Apple/\(name)-\(style.rawValue).swift")
    let messages = compiled.diagnostics.map(DiagnosticRenderer().render).joined()
    let parent = Self.here.deletingLastPathComponent().deletingLastPathComponent().path + "/"
    Golden.expect(
      messages.replacing(parent, with: ""), matches: "Apple/\(name)-\(style.rawValue).txt")
  }

  @Test(arguments: ["Depot", "Journal"])
  func versionedSchemas(name: String) throws {
    let compiled = try ModelCompiler(
      ModelBundle(at: Self.model(name).path), includesAllVersions: true, access: .public,
      style: .swiftData
    ).compile()
    Golden.expect(compiled.text, matches: "Apple/\(name)-all-versions.swift")
  }

  // MARK: Compiling

  private func compile(_ bundles: [URL], allVersions: Bool = false, _ style: SourceStyle) throws {
    let framework: AppleCompiler.Framework = style == .swiftData ? .swiftData : .coreData
    let compiler = try AppleCompiler.shared.get()
    let sources = try bundles.map {
      try AppleSource(ModelBundle(at: $0.path), style, allVersions: allVersions)
    }
    for group in Self.groups(of: sources) {
      do {
        try compiler.check(group, for: framework)
      } catch {
        Issue.record("\(group.map(\.name)): \(error)")
      }
    }
  }

  /// Groups the sources into as few modules as their top-level names allow, because the compiler starts once for each
  /// module.
  private static func groups(of sources: [AppleSource]) -> [[AppleSource]] {
    var groups: [(taken: Set<String>, sources: [AppleSource])] = []
    for source in sources {
      let declared = source.declared
      if let index = groups.firstIndex(where: { $0.taken.isDisjoint(with: declared) }) {
        groups[index].taken.formUnion(declared)
        groups[index].sources.append(source)
      } else {
        groups.append((declared, [source]))
      }
    }
    return groups.map(\.sources)
  }

  #if os(Linux)
    @Test(arguments: [SourceStyle.managedObjects, .swiftData])
    func compilesAllModels(style: SourceStyle) throws {
      try compile(Self.models, style)
    }

    @Test func compilesAllVersions() throws {
      try compile(Self.models, allVersions: true, .swiftData)
    }

    /// The stubs are strict enough that the compiler finds errors.
    @Test func findsMistakes() throws {
      let compiler = try AppleCompiler.shared.get()
      var source = try AppleSource(ModelBundle(at: Self.model("Depot").path), .managedObjects)
      source.text.replace("var due: Date?", with: "var due: Int?")
      expectErrors("'@NSManaged' because its type cannot be represented in Objective-C") {
        try compiler.check([source], for: .coreData)
      }
      source = try AppleSource(ModelBundle(at: Self.model("Depot").path), .swiftData)
      source.text.replace("inverse: \\Box.depot", with: "inverse: \\Box.dept")
      expectErrors("value of type 'Box' has no member 'dept'") {
        try compiler.check([source], for: .swiftData)
      }
    }

    private func expectErrors(_ text: String, from check: () throws -> Void) {
      do {
        try check()
        Issue.record("the compiler takes it")
      } catch {
        #expect("\(error)".contains(text))
      }
    }

    @Test(
      .enabled(if: Corpus.isPresent, "\(Corpus.absence)"),
      arguments: [SourceStyle.managedObjects, .swiftData])
    func compilesTheCorpus(style: SourceStyle) throws {
      let folders = Corpus.files(below: Corpus.models) { $0.pathExtension == "xcdatamodeld" }
      // One model of each repository is tested, so not all models are covered.
      var repositories: Set<String> = []
      let chosen = folders.filter { folder in
        let path = folder.path.dropFirst(Corpus.models.path.count + 1)
        let repository = path.split(separator: "/").first.map(String.init) ?? ""
        return isReadable(folder) && repositories.insert(repository).inserted
      }
      try compile(chosen, style)
    }

    private func isReadable(_ model: URL) -> Bool {
      do {
        _ = try ModelBundle(at: model.path).requireCurrentVersion().read()
        return true
      } catch {
        return false
      }
    }
  #endif
}
