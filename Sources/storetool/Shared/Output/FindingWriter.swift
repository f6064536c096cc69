import Foundation
import RecordFormats
import StoreDiagnostics
import StoreLayout

/// Prints the findings of a check on standard output.
struct FindingWriter {
  let format: CommandFormat<FindingFormat>
  var style = RowStyle.ofStandardOutput()

  /// - Parameter summary: A line that is printed on standard error after the findings.
  func print(_ findings: [DiagnosticMessage], summary: String) throws {
    switch format {
    case .own(.text):
      let renderer = DiagnosticRenderer(
        color: Terminal.out.wantsColor, width: Terminal.out.size?.columns,
        wording: CommandWording())
      try OutputFile.styled.write(findings.map(renderer.render).joined())
    case .own(.github): try OutputFile.standard.write(findings.map(\.annotation).joined())
    case .own(.gitlab): try FactWriter(.json).print(codeQualityFacts(of: findings))
    case .own(.sarif): try FactWriter(.json).print(.page(SARIFLog(of: findings)))
    case .facts(let format):
      let columns = ["severity", "code", "file", "line", "column", "message", "help"]
      let records = findings.map(FindingRecord.init)
      try FactWriter(format, style).print(.records(columns: columns, records))
    }
    Terminal.err.write("\(summary)\n")
  }

  /// Returns the findings as a list in the format of GitLab's Code Quality report.
  private func codeQualityFacts(of findings: [DiagnosticMessage]) -> Facts {
    .records(
      columns: [],
      zip(findings, Fingerprints(of: findings).all).map { finding, fingerprint in
        CodeQualityFinding(
          description: finding.wholeText, checkName: finding.code, fingerprint: fingerprint,
          severity: finding.codeQualitySeverity,
          location: .init(
            path: finding.place?.file.belowWorkingDirectory ?? ".",
            lines: ["begin": finding.place?.line ?? 1]))
      })
  }
}

private struct FindingRecord: Encodable {
  let severity, code: String
  let file: String?
  let line, column: Int?
  let message: String
  let help: [String]

  init(_ finding: DiagnosticMessage) {
    let words = CommandWording()
    (severity, code) = (finding.severity.rawValue, finding.code)
    (file, line, column) = (finding.place?.file, finding.place?.line, finding.place?.column)
    (message, help) = (finding.message(in: words), finding.help.map(words.sentence))
  }
}

/// A finding in the format of GitLab's Code Quality report.
private struct CodeQualityFinding: Encodable {
  let description, checkName, fingerprint, severity: String
  let location: Location

  enum CodingKeys: String, CodingKey {
    case description
    case checkName = "check_name"
    case fingerprint, severity, location
  }

  struct Location: Encodable {
    let path: String
    let lines: [String: Int]
  }
}

/// Findings as a log in the Static Analysis Results Interchange Format, version 2.1.0.
struct SARIFLog: Encodable {
  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    let tool: [String: Driver]
    let columnKind = "unicodeCodePoints"
    let results: [Result]
  }

  struct Driver: Encodable {
    let name = Storetool.name
    let version = Version.current
    let rules: [[String: String]]
  }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: [String: String]
    let locations: [[String: PhysicalLocation]]
    let partialFingerprints: [String: String]
  }

  struct PhysicalLocation: Encodable {
    let artifactLocation: Artifact
    let region: Region
  }

  struct Artifact: Encodable {
    let uri: String
    @OmittedIfNil var uriBaseId: String?
  }

  struct Region: Encodable { let startLine, startColumn: Int }

  init(of findings: [DiagnosticMessage]) {
    let codes = Array(Set(findings.map(\.code))).sorted()
    let results = zip(findings, Fingerprints(of: findings).all).map { finding, fingerprint in
      Result(
        ruleId: finding.code, ruleIndex: codes.firstIndex(of: finding.code) ?? 0,
        level: finding.severity.rawValue, message: ["text": finding.wholeText],
        locations: finding.place.map { [["physicalLocation": PhysicalLocation($0)]] } ?? [],
        partialFingerprints: ["storetool/v1": fingerprint])
    }
    runs = [Run(tool: ["driver": Driver(rules: codes.map { ["id": $0] })], results: results)]
  }
}

extension SARIFLog.PhysicalLocation {
  fileprivate init(_ place: SourcePlace) {
    let path = place.file.belowWorkingDirectory
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    artifactLocation = .init(
      uri: isAbsolute ? "file://" + path.inURI : path.inURI,
      uriBaseId: isAbsolute ? nil : "%SRCROOT%")
    region = .init(startLine: place.line, startColumn: place.column)
  }
}

/// Hashes that identify findings even if their lines have moved.
///
/// A hash is computed from the code, the file and the message of a finding, and from its number among the findings with
/// equal code, file and message.
private struct Fingerprints {
  /// The hashes in the order of the findings.
  private(set) var all: [String] = []

  init(of findings: [DiagnosticMessage]) {
    var counts: [String: Int] = [:]
    for finding in findings {
      let words = [finding.code, finding.place?.file.belowWorkingDirectory ?? "", finding.message]
      let text = words.joined(separator: "\n")
      let count = counts[text, default: 0]
      counts[text] = count + 1
      all.append(Digest.hexSHA256(of: "\(text)\n\(count)"))
    }
  }
}

extension DiagnosticMessage {
  /// The message and the help, each on its own line.
  var wholeText: String {
    let words = CommandWording()
    return ([message(in: words)] + help.map(words.sentence)).joined(separator: "\n")
  }

  fileprivate var codeQualitySeverity: String {
    switch severity {
    case .error: "major"
    case .warning: "minor"
    case .note: "info"
    }
  }
}

extension String {
  /// The path relative to the working directory if it is absolute and the file is in this folder, otherwise the path
  /// without a leading `./`. Services such as GitHub expect paths in the repository.
  var belowWorkingDirectory: String {
    let path = LocalPath(self)
    if path.isAbsolute, let here = FileIdentity(of: "."), let part = path.part(below: here) {
      return "\(part.orHere)"
    }
    return hasPrefix("./") ? String(dropFirst(2)) : self
  }

  /// The path in a URI. All bytes except unreserved characters and slashes are percent-encoded.
  fileprivate var inURI: String {
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}
