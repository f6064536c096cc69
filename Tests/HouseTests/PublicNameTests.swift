import Testing

/// The products' public types don't have names that Apple's frameworks use.
///
/// `StoreAPITests/PublicNames.swift` checks this for Foundation and Observation, where the compiler looks up each name.
/// SwiftUI and SwiftData exist on Apple's systems only, so `AppleTypeNames.txt` lists their types.
struct PublicNameTests {
  private static let products = SourceFolder.files.filter { $0.path.hasPrefix("Store") }
    .reduce(into: Set<String>()) { names, file in
      let code = file.text.pieces.filter { $0.part == .code }.map(\.text)
      let type =
        #/^(?:@\w+(?:\([^)]*\))? )*public (?:(?:final|indirect) )?(?:struct|enum|class|protocol|actor|typealias) (\w+)/#
      names.formUnion(code.compactMap { $0.prefixMatch(of: type).map { String($0.output.1) } })
    }

  @Test func thePublicNamesAreCompiledBesideFoundation() throws {
    try #require(Self.products.count > 100)
    let compiled = SourceFolder.text(at: "Tests/StoreAPITests/PublicNames.swift")
      .matches(of: #/typealias A(\w+) = (\w+)/#).map { (String($0.output.1), String($0.output.2)) }
    #expect(Set(compiled.map(\.1)).symmetricDifference(Self.products) == [])
    #expect(compiled.allSatisfy { $0.0 == $0.1 })
  }

  @Test func noPublicNameIsOneOfApples() throws {
    let apple = SourceFolder.text(at: "Tests/HouseTests/AppleTypeNames.txt")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .flatMap { $0.split(separator: " ").map(String.init) }
    try #require(apple.count > 500)
    #expect(Self.products.intersection(apple) == [])
  }

  /// A public module of an app exports the types of its model. In a file that imports this module and a product, an
  /// entity `Value` and a public type `Value` would be ambiguous.
  @Test func noPublicNameIsASingleNoun() {
    // Entities have names in the singular, and aren't named by a participle.
    let others: Set = ["Changes", "Included", "Including", "Stored", "Templates"]
    let single = Self.products.filter { $0.dropFirst().allSatisfy { $0.isLowercase } }
    #expect(single == others)
  }
}
