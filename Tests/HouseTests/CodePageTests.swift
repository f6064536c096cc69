import Foundation
import Testing

/// The pages about the code name types, functions and files that exist.
struct CodePageTests {
  private static let names = Dictionary(
    uniqueKeysWithValues: SourceFolder.files.map { ($0.path, DeclaredNames($0.text)) })
  private static let all = DeclaredNames(names.values)

  private static let targetPages = pages(in: "docs/targets")

  private static func pages(in folder: String) -> [CodePage] {
    SourceFolder.paths(below: SourceFolder.repository.appending(path: folder))
      .filter { $0.hasSuffix(".md") }.map { CodePage("\(folder)/\($0)") }
  }

  @Test(arguments: targetPages + [CodePage("docs/walks.md"), CodePage("docs/architecture.md")])
  func aPageNamesWhatIsThere(_ page: CodePage) throws {
    try #require(page.names.count > 3)
    #expect(page.names.filter { !Self.isThere($0) }.sorted() == [])
  }

  /// A recipe also names tests by their files, and declarations that its example adds or uses.
  @Test(arguments: pages(in: "docs/contributing"))
  func aRecipeNamesWhatIsThere(_ page: CodePage) throws {
    try #require(page.names.count > 3)
    let tests = SourceFolder.paths(below: SourceFolder.repository.appending(path: "Tests"))
    let missing = page.names.filter { name in
      let path = name.replacing(#/^Sources\//#, with: "")
      let type = name.components(separatedBy: ".")[0]
      return !Self.isThere(path) && !Self.examples.contains(name)
        && !tests.contains { $0.hasSuffix("/\(type).swift") }
    }
    #expect(missing.sorted() == [])
  }

  private static let examples: Set = [
    "Sources/storetool/Store/SizesCommand.swift", "_superCommandName", "RowFormat.allCases",
  ]

  @Test func everyTargetHasItsPage() throws {
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: SourceFolder.repository.appending(path: "Sources").path)
    let described = Self.targetPages.flatMap(\.headings).flatMap {
      $0.components(separatedBy: ", ")
    }
    #expect(described.sorted() == sources.filter { !$0.hasPrefix(".") }.sorted())
  }

  /// Whether the sources contain a name; true for text that doesn't look like the name of a file, type or function.
  private static func isThere(_ name: String) -> Bool {
    if name.hasSuffix(".swift") {
      return name == "Package.swift"
        || names.keys.contains { $0 == name || $0.hasSuffix("/\(name)") }
    }
    guard !strangers.contains(name), name.wholeMatch(of: #/\w+(\.\w+)?/#) != nil,
      // Excludes words and SQLite constants.
      name.dropFirst().contains(where: \.isUppercase), name.contains(where: \.isLowercase)
    else { return true }
    let parts = name.components(separatedBy: ".")
    if parts.count == 1 {
      return all.types.contains(name) || all.members.contains(name)
        || FileManager.default.fileExists(
          atPath: SourceFolder.repository.appending(path: "Sources/\(name)").path)
    }
    return names.values.contains { $0.has(parts[0], parts[1]) }
  }

  /// Names that are declared elsewhere: in Apple's frameworks, SQLite, packages, the compiler or tests.
  private static let strangers: Set = [
    "InternalImportsByDefault", "MemberImportVisibility", "ArchiveFuzz", "PredicateFuzz",
    "StoreWriter", "CostedCalls", "CostTests",
    "StoreFuzz",
    "EngineBenchmarks", "StoreAPITests", "CodePageTests", "FolderGraphTests", "FileDescriptor",
    "UITableView",
    "StoreModelPlugin", "CommandLine",
    "xFetch", "xWrite", "elementID", "NSPredicate", "predicateString", "AsyncSequence",
    "CancellationError", "peopleFR", "t0.ZNAME",
  ]
}
