import Foundation
import TestSupport
import Testing

/// The reports for services contain everything that their formats require, for any paths and names.
struct CheckFormatTests {
  private let folder: TemporaryFolder
  private let shell: BuiltCommand
  private static let file = "My App, 100%/M ü:1.xcdatamodel/contents"

  init() throws {
    folder = try TemporaryFolder()
    shell = BuiltCommand(in: folder.url)
    try folder.write(
      """
      <model>
      <entity name="A"><attribute name="é, %0A: x" attributeType="Strin"/></entity>
      <entity name="B"><attribute name="y" attributeType="Strin"/></entity>
      <entity name="C"><attribute name="y" attributeType="Strin"/></entity>
      </model>
      """, to: Self.file)
  }

  private func check(_ format: String, _ path: String = "'My App, 100%'") throws -> String {
    let outcome = try shell.run("storetool model check \(path) --format \(format)")
    #expect(outcome.status == 1)
    return outcome.output
  }

  @Test func gitHubAnnotates() throws {
    let lines = try check("github").split(separator: "\n")
    #expect(lines.count >= 3)
    #expect(
      lines[0].hasPrefix(
        "::error file=My App%2C 100%25/M ü%3A1.xcdatamodel/contents,line=2,col="))
    // Each finding is one line, including its help.
    #expect(lines.allSatisfy { $0.hasPrefix("::error file=") && $0.contains("%0A") })
  }

  private struct CodeQuality: Decodable {
    struct Location: Decodable {
      struct Lines: Decodable { var begin: Int }
      var path: String
      var lines: Lines
    }
    var description: String
    var checkName: String
    var fingerprint: String
    var severity: String
    var location: Location

    enum CodingKeys: String, CodingKey {
      case description, fingerprint, severity, location
      case checkName = "check_name"
    }
  }

  @Test func gitLabReportsCodeQuality() throws {
    func report(_ path: String) throws -> [CodeQuality] {
      try JSONDecoder().decode([CodeQuality].self, from: Data(check("gitlab", path).utf8))
    }
    let found = try report("'My App, 100%'")
    #expect(found.map(\.location.lines.begin) == [2, 3, 4])
    #expect(found.allSatisfy { $0.location.path == Self.file && $0.severity == "major" })
    #expect(found.allSatisfy { $0.checkName == "model.unknown-word" && !$0.description.isEmpty })
    // Equal findings have different fingerprints. A finding keeps its fingerprint if its path or its line changes.
    #expect(Set(found.map(\.fingerprint)).count == 3)
    #expect(
      try report("\"$PWD/My App, 100%\"").map(\.fingerprint) == found.map(\.fingerprint))
    let text = try String(contentsOf: folder.url.appendingPathComponent(Self.file), encoding: .utf8)
    try folder.write("\n\n" + text, to: Self.file)
    let moved = try report("'./My App, 100%'")
    #expect(moved.map(\.fingerprint) == found.map(\.fingerprint))
    #expect(moved.map(\.location.lines.begin) == [4, 5, 6])
  }

  private struct SARIF: Decodable {
    struct Run: Decodable {
      struct Tool: Decodable {
        struct Driver: Decodable {
          struct Rule: Decodable { var id: String }
          var name: String
          var version: String
          var rules: [Rule]
        }
        var driver: Driver
      }
      struct Result: Decodable {
        struct Message: Decodable { var text: String }
        struct Location: Decodable {
          struct Physical: Decodable {
            struct Artifact: Decodable {
              var uri: String
              var uriBaseId: String?
            }
            struct Region: Decodable {
              var startLine: Int
              var startColumn: Int
            }
            var artifactLocation: Artifact
            var region: Region
          }
          var physicalLocation: Physical
        }
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Message
        var locations: [Location]
        var partialFingerprints: [String: String]
      }
      var tool: Tool
      var columnKind: String
      var results: [Result]
    }
    var version: String
    var runs: [Run]
  }

  @Test func sarifHasWhatTheStandardRequires() throws {
    let log = try JSONDecoder().decode(SARIF.self, from: Data(check("sarif").utf8))
    #expect(log.version == "2.1.0")
    let run = try #require(log.runs.first)
    #expect(log.runs.count == 1 && run.tool.driver.name == "storetool")
    #expect(run.columnKind == "unicodeCodePoints")
    for result in run.results {
      #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId)
      #expect(["error", "warning", "note"].contains(result.level) && !result.message.text.isEmpty)
      let place = try #require(result.locations.first?.physicalLocation)
      #expect(
        place.artifactLocation.uri == "My%20App%2C%20100%25/M%20%C3%BC%3A1.xcdatamodel/contents")
      #expect(URL(string: place.artifactLocation.uri) != nil)
      #expect(place.artifactLocation.uriBaseId == "%SRCROOT%")
      #expect(place.region.startLine >= 1 && place.region.startColumn >= 1)
    }
    #expect(Set(run.results.compactMap(\.partialFingerprints.first?.value)).count == 3)
  }

  @Test(arguments: ["gitlab", "sarif"])
  func nothingFoundIsAReportToo(_ format: String) throws {
    try folder.write("<model><entity name=\"A\"/></model>", to: Self.file)
    let outcome = try shell.run("storetool model check 'My App, 100%' --format \(format)")
    #expect(outcome.status == 0)
    let report = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    if format == "gitlab" { #expect((report as? [Any])?.isEmpty == true) }
    if format == "sarif" {
      let runs = (report as? [String: Any])?["runs"] as? [[String: Any]]
      #expect((runs?.first?["results"] as? [Any])?.isEmpty == true)
    }
  }
}
