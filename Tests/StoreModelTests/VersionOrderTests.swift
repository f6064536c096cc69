import StoreModel
import Testing

@Suite struct VersionOrderTests {
  private func order(
    _ names: [String], current: String? = nil, _ migrations: (String, String)...
  ) -> [String] {
    VersionOrder(
      of: names, current: current, migrations: migrations.map { .init(from: $0.0, to: $0.1) }
    ).names
  }

  @Test func namesAreInNaturalOrder() {
    #expect(order(["App 10", "App", "App 9"]) == ["App", "App 9", "App 10"])
  }

  /// Differing words don't determine an order, but numbers do.
  @Test func theCurrentVersionComesLast() {
    let names = ["App_calls_v3", "App_groups_v1", "App_media_v2"]
    #expect(
      order(names, current: "App_calls_v3") == ["App_groups_v1", "App_media_v2", "App_calls_v3"])
  }

  /// A version that is under development, or was withdrawn.
  @Test func aHigherNumberStaysBehindTheCurrentVersion() {
    #expect(
      order(["App 3", "App", "App 2"], current: "App 2") == ["App", "App 2", "App 3"])
    #expect(
      order(["App_v3", "Other", "App_v2"], current: "App_v2") == ["Other", "App_v2", "App_v3"])
  }

  @Test func definitionsTellTheOrder() {
    #expect(
      order(["Apple", "Mango", "Zebra"], ("Zebra", "Apple"), ("Mango", "Zebra"))
        == ["Mango", "Zebra", "Apple"])
    // This includes versions after the current one.
    #expect(
      order(["Apple", "Mango", "Zebra"], current: "Mango", ("Mango", "Apple"))
        == ["Zebra", "Mango", "Apple"])
  }

  @Test func waysBackTellNothing() {
    #expect(order(["App", "App 2", "App 3"], ("App 2", "App")) == ["App", "App 2", "App 3"])
    #expect(
      order(["Apple", "Mango"], ("Apple", "Mango"), ("Mango", "Apple")) == ["Apple", "Mango"])
  }

  @Test func circlesEnd() {
    let names = order(
      ["Apple", "Mango", "Zebra"], ("Zebra", "Mango"), ("Mango", "Apple"), ("Apple", "Zebra"))
    #expect(names.sorted() == ["Apple", "Mango", "Zebra"])
  }
}
