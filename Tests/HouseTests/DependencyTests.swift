import Foundation
import Testing

/// `Package.swift` lists the targets that a target may import. SwiftPM alone doesn't enforce the list, because a target
/// can import any module that was built before.
struct DependencyTests {
  struct Target {
    var name: String
    var folder: String
    var dependencies: Set<String>
  }

  private static let targets: [Target] = {
    let package = SourceFolder.text(at: "Package.swift")
    let declaration =
      /\.(?<kind>target|executableTarget|testTarget)\(\s*name: "(?<name>\w+)"(?<rest>(?:[^"]|"[^"]*")*?swiftSettings)/
    return package.matches(of: declaration).map { match in
      let rest = String(match.rest)
      let list = rest.firstMatch(of: /dependencies: \[(?<names>[^\]]*)\]/)?.names ?? ""
      let path = rest.firstMatch(of: /path: "(?<path>[^"]+)"/)?.path
      let root = match.kind == "testTarget" ? "Tests" : "Sources"
      return Target(
        name: String(match.name), folder: path.map(String.init) ?? "\(root)/\(match.name)",
        dependencies: Set(list.matches(of: /"(?<name>\w+)"/).map { String($0.name) }))
    }
  }()

  @Test func aTargetImportsWhatItsListSays() throws {
    try #require(Self.targets.count > 20)
    let modules = Set(
      Self.targets.map(\.name) + ["CLibXML2", "CSQLite", "CZLib", "CMessageDigest", "CLinux"])
    for target in Self.targets {
      let imports = Self.imports(below: target.folder).intersection(modules)
      #expect(
        imports.subtracting(target.dependencies) == [],
        "\(target.name) imports targets that it doesn't list")
      // Tests run these programs and don't import them as modules.
      let programs: Set = ["storetool", "modelc", "StoreWriter", "CostedCalls"]
      let listed = target.dependencies.intersection(modules).subtracting(programs)
      #expect(
        listed.subtracting(imports) == [],
        "\(target.name) lists targets that it doesn't import")
    }
  }

  private static func imports(below folder: String) -> Set<String> {
    let root = SourceFolder.repository.appending(path: folder)
    let sources = SourceFolder.paths(below: root)
      .filter { $0.hasSuffix(".swift") && !$0.contains("Fixtures/") && !$0.hasPrefix("Models/") }
    let names = sources.flatMap { path in
      SourceFolder.text(at: "\(folder)/\(path)")
        .matches(of: /(?m)^\s*(?:(?:@testable|public|package) )?import (?<name>\w+)/)
        .map { String($0.name) }
    }
    return Set(names)
  }
}
