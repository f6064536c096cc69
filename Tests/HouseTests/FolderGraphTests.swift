import Testing

/// The folders of `storetool`: one for each feature, and `Shared` for code of several features.
///
/// A folder uses another one if its code names a type that a file of the other one declares. Files directly in
/// `storetool` assemble the program and don't belong to a folder.
struct FolderGraphTests {
  private static let uses: [String: Set<String>] = {
    let files = SourceFolder.swiftFiles(below: "Sources/storetool").compactMap { file in
      let parts = file.path.split(separator: "/")
      return parts.count > 1 ? (folder: String(parts[0]), code: code(of: file.text)) : nil
    }
    let declaration =
      #/(?m)^(?:@\w+(?:\([^)]*\))? )*(?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
    var folders: [String: String] = [:]
    for file in files {
      for match in file.code.matches(of: declaration) {
        folders[String(match.output.1)] = file.folder
      }
    }
    var uses: [String: Set<String>] = [:]
    for file in files {
      let names = file.code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      let used = Set(names.compactMap { folders[String($0)] })
      uses[file.folder, default: []].formUnion(used.subtracting([file.folder]))
    }
    return uses
  }()

  private static func code(of text: SourceText) -> String {
    text.pieces.filter { $0.part == .code }.map(\.text).joined(separator: "\n")
  }

  @Test func sharedUsesNoFeature() throws {
    try #require(Self.uses.count > 10)
    #expect(Self.uses["Shared"] == [])
  }

  @Test func noFolderUsesItselfThroughOthers() {
    // Folders that use no remaining folder are removed until none is left to remove.
    var remaining = Self.uses
    while let free = remaining.first(where: { $0.value.isDisjoint(with: remaining.keys) }) {
      remaining[free.key] = nil
    }
    #expect(remaining == [:], "these folders use each other")
  }
}
