import Foundation
import Testing

/// Rules for all pages: links have a target, and lines of prose are short enough for an editor.
struct PageTests {
  private static let pages: [String] = {
    let repository = SourceFolder.repository
    let below = ["docs", "Sources"].flatMap { folder in
      SourceFolder.paths(below: repository.appending(path: folder)).map { "\(folder)/\($0)" }
    }
    let single = [
      "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md",
      "Models/README.md",
      "Integrations/homebrew/README.md", "Integrations/spark/README.md",
    ]
    return single + below.filter { $0.hasSuffix(".md") }
  }()

  @Test(arguments: pages)
  func aLinkLeadsSomewhere(_ page: String) throws {
    let folder = SourceFolder.repository.appending(path: page).deletingLastPathComponent()
    let dead = try Self.links(in: SourceFolder.text(at: page)).filter { link in
      guard !link.contains("://") else { return false }
      let parts = link.components(separatedBy: "#")
      let file =
        parts[0].isEmpty
        ? SourceFolder.repository.appending(path: page) : folder.appending(path: parts[0])
      guard FileManager.default.fileExists(atPath: file.path) else { return true }
      guard parts.count == 2 else { return false }
      return try !Self.anchors(in: String(contentsOf: file, encoding: .utf8)).contains(parts[1])
    }
    #expect(dead == [])
  }

  @Test(arguments: pages.filter { !$0.hasPrefix("Sources/") })
  func proseIsWrapped(_ page: String) {
    let long = Self.prose(of: SourceFolder.text(at: page)).filter { line in
      line.count > 100 && !["|", "#", "    "].contains { line.hasPrefix($0) }
    }
    #expect(long == [])
  }

  @Test func aDeadLinkIsFound() {
    let page = """
      ## What's `done`: all
      See [a](b.md#what-is) and [two
      lines](#whats-done-all).
      ```swift
      let c = [d](e)
      ```
      """
    #expect(Self.links(in: page) == ["b.md#what-is", "#whats-done-all"])
    #expect(Self.anchors(in: page) == ["whats-done-all"])
  }

  private static func links(in text: String) -> [String] {
    prose(of: text).joined(separator: "\n").matches(of: #/\]\(([^)\s]+)\)/#)
      .map { String($0.output.1) }
  }

  /// Returns the anchors that GitHub creates for the headings.
  private static func anchors(in text: String) -> Set<String> {
    Set(
      prose(of: text).filter { $0.hasPrefix("#") }.map { heading in
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// Returns the lines outside of fenced blocks.
  private static func prose(of text: String) -> [String] {
    var isBlock = false
    return text.components(separatedBy: "\n").filter { line in
      if line.hasPrefix("```") { isBlock.toggle() }
      return !isBlock && !line.hasPrefix("```")
    }
  }
}
