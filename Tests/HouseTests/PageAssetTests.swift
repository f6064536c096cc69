import Foundation
import Testing

/// The page of `browse`: its embedded files, and text that they must not contain.
struct PageAssetTests {
  private static let root = SourceFolder.repository.appending(path: "Sources/PageAssets/page")
  private static let files = SourceFolder.paths(below: root)
    .filter { $0.contains(/\.(js|css|html|svg)$/) }.sorted()

  @Test func everyFileIsInTheProgram() {
    let list = SourceFolder.text(at: "Sources/PageAssets/PageAssets.c")
    #expect(Self.files.count > 10)
    let embedded = list.matches(of: /#embed "page\/(?<name>[^"]+)"/).map { String($0.name) }
    #expect(embedded == Self.files)
    let named = list.matches(of: /ASSET\("(?<name>[^"]+)", (?<bytes>\w+)\)/)
    #expect(named.map { String($0.name) } == Self.files)
    for entry in named {
      let bytes = entry.name.replacing(/[\/.-]/, with: "_")
      #expect(entry.bytes == bytes)
    }
  }

  /// The page must not contain functions that create markup, code or requests from text.
  @Test(arguments: files.filter { $0.hasSuffix(".js") })
  func noTextBecomesCode(_ name: String) {
    let text = SourceFolder.text(at: "Sources/PageAssets/page/\(name)")
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
      "DOMParser", "createPolicy", "setAttribute('style'", "javascript:", "srcdoc",
    ] {
      #expect(!text.contains(word), "\(name) has \(word)")
    }
    // The page doesn't load data from the network.
    for address in text.matches(of: /https?:\/\/[^'"\s]+/) {
      #expect(address.output.hasPrefix("http://www.w3.org/"))
    }
  }

  @Test(arguments: files.filter { $0.hasSuffix(".html") || $0.hasSuffix(".css") })
  func nothingIsInlineOrFromElsewhere(_ name: String) {
    let text = SourceFolder.text(at: "Sources/PageAssets/page/\(name)")
    for word in ["style=", "onclick", "http:", "https:", "@import", "url(", "<script>"] {
      #expect(!text.contains(word), "\(name) has \(word)")
    }
  }
}
