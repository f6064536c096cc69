import StoreDiagnostics
import Testing

@testable import StoreMigration

struct RenameOrderTests {
  private func order(_ wanted: [(String, String)], taken: Set<String> = []) -> [String] {
    let olds = Set(wanted.map { $0.0.lowercased() })
    return RenameOrder(wanted.map { (old: $0.0, new: $0.1) }, taken: taken.union(olds).exact)
      .renames.map { "\($0.old) \($0.new)" }
  }

  @Test func whatIsWaitedForGoesFirst() {
    #expect(order([("A", "B"), ("B", "C")]) == ["B C", "A B"])
  }

  @Test func ofACircleOneStepsAside() {
    #expect(
      order([("A", "B"), ("B", "A")]) == [
        "A \(ScratchName.old("A"))", "B A", "\(ScratchName.old("A")) B",
      ])
    #expect(
      order([("A", "B"), ("B", "A")], taken: [ScratchName.old("a").lowercased()])
        == ["A \(ScratchName.old("A"))_", "B A", "\(ScratchName.old("A"))_ B"])
  }

  /// Names that differ only in case are the same name to SQLite.
  @Test func caseIsNoDifference() {
    #expect(order([("one", "TWO"), ("two", "THREE")]) == ["two THREE", "one TWO"])
  }

  @Test func onlyTheCaseChanges() {
    #expect(
      order([("one", "ONE")]) == ["one \(ScratchName.old("one"))", "\(ScratchName.old("one")) ONE"])
  }
}
