import Testing

@testable import storetool

@Suite("The words of the page's requests")
struct PageWordsTests {
  private func line(_ words: [String]) throws -> [String] {
    let allowed = try #require(AllowedCommand.named(by: words))
    return try PageWords(words, of: allowed).line(["--store=S"])
  }

  @Test("Values follow '--', so none of them is parsed as an option")
  func order() throws {
    #expect(
      try line(["fetch", "Item", "--where=name == 'x'", "--count"])
        == ["fetch", "--where=name == 'x'", "--count", "--store=S", "--", "Item"])
    #expect(
      try line(["page-complete", "Item", "--", "--store=/etc/passwd"])
        == ["page-complete", "--store=S", "--", "Item", "--store=/etc/passwd"])
  }

  @Test(
    "Options that name a file or change more than the output are refused",
    arguments: [
      ["fetch", "Item", "--store=/etc/passwd"], ["fetch", "Item", "--model=/etc/passwd"],
      ["fetch", "Item", "--format=csv"], ["fetch", "--where"], ["fetch", "Item", "-h"],
      ["fetch", "Item", "--help"], ["verify", "--repair", "--closest"], ["history", "--prune"],
      ["verify", "--dry-run"], ["verify", "--format=table", "--repair"],
      ["migrate", "plan", "--migrations=/"], ["migrate", "plan", "--backup=/tmp/x"],
      ["predicate", "check", "--model=/etc/passwd"], ["info", "--closest"], ["show", "Item/p1\0"],
      ["batch-update", "Item", "--no-validate"], ["fetch", "Item", "--count=1"],
      ["page-value", "Item/p1", "--output=x"], ["info", "/etc/passwd"],
      ["verify", "/etc/passwd"], ["verify", "--repair", "--dry-run", "x"], ["history", "--", "x"],
      ["templates", "x"], ["migrate", "plan", "x"], ["page-changes", "x"],
    ])
  func refused(words: [String]) throws {
    let allowed = try #require(AllowedCommand.named(by: words))
    #expect(throws: PageRequestError.self) { try PageWords(words, of: allowed) }
  }

  @Test(
    "Other commands are none of the page's",
    arguments: [
      ["create", "x"], ["migrate"], ["migrate", "run"], ["compact"], ["anonymize"], ["import"],
      ["export"], ["batch-insert"], ["each"], ["page-run", "create"], ["each-worker"], ["browse"],
      ["git", "install"], ["generate"], ["seed"], [], ["model", "merge"],
      ["diff", "a", "b"], ["settings"],
      ["fetchx"], ["predicate"],
    ])
  func commands(words: [String]) {
    #expect(AllowedCommand.named(by: words) == nil)
  }

  @Test("Each change is shown before it is written, once per write")
  func tickets() throws {
    let words = ["batch-update", "Item", "done=true", "--where=TRUEPREDICATE"]
    let allowed = try #require(AllowedCommand.named(by: words))
    let shown = try PageWords(words + ["--dry-run"], of: allowed)
    let written = try PageWords(words, of: allowed)
    let other = try PageWords(["batch-update", "Item", "done=true"], of: allowed)
    #expect(shown.isDryRun && !written.isDryRun)
    let tickets = DryRunTickets()
    let ticket = tickets.ticket(for: shown, store: 0)
    #expect(!tickets.take(nil, for: written, store: 0))
    #expect(!tickets.take(ticket, for: other, store: 0))
    #expect(!tickets.take(ticket, for: written, store: 1))
    #expect(tickets.take(ticket, for: written, store: 0))
    #expect(!tickets.take(ticket, for: written, store: 0))
  }

  @Test("Lines become frames however their bytes come")
  func frames() {
    let lines = "{\"a\":1}\n\n{\"b\":\"x\"}\n"
    for size in 1...lines.utf8.count {
      var rows = RowFrames()
      var frames: [UInt8] = []
      var rest = Array(lines.utf8)[...]
      while !rest.isEmpty {
        frames += rows.frames(of: Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(
        String(decoding: frames, as: UTF8.self) == "{\"row\":{\"a\":1}}\n{\"row\":{\"b\":\"x\"}}\n")
      #expect(rows.isBetweenRows)
    }
  }
}
