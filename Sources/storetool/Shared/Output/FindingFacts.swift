import StoreLayout
import RecordFormats
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Findings as GitLab's Code Quality report takes them.
enum CodeQualityFacts {
  static func facts(of findings: [Diagnostic]) -> Facts {
    .records(
      columns: [],
      zip(findings, Fingerprints(of: findings).all).map { finding, fingerprint in
        var lines = FactObject()
        lines.add("begin", finding.place?.line ?? 1)
        var location = FactObject()
        location.add("path", finding.place?.file.belowWorkingDirectory ?? ".")
        location.add("lines", lines.value)
        var object = FactObject()
        object.add("description", finding.wholeText)
        object.add("check_name", finding.code)
        object.add("fingerprint", fingerprint)
        object.add("severity", finding.codeQualitySeverity)
        object.add("location", location.value)
        return object.value
      })
  }
}

/// Findings as a log of the Static Analysis Results Interchange Format, version 2.1.0.
enum SARIFFacts {
  static func facts(of findings: [Diagnostic]) -> Facts {
    let codes = Array(Set(findings.map(\.code))).sorted()
    var driver = FactObject()
    driver.add("name", Storetool.name)
    driver.add("version", Version.current)
    driver.add(
      "rules",
      codes.map { code in
        var rule = FactObject()
        rule.add("id", code)
        return rule
      })
    var tool = FactObject()
    tool.add("driver", driver.value)
    var run = FactObject()
    run.add("tool", tool.value)
    run.add("columnKind", "unicodeCodePoints")
    run.add(
      "results",
      zip(findings, Fingerprints(of: findings).all).map { finding, fingerprint in
        result(of: finding, codes.firstIndex(of: finding.code) ?? 0, fingerprint)
      })
    var log = FactObject()
    log.add("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    log.add("version", "2.1.0")
    log.add("runs", [run])
    return .page(log.value)
  }

  private static func result(
    of finding: Diagnostic, _ rule: Int, _ fingerprint: String
  ) -> FactObject {
    var message = FactObject()
    message.add("text", finding.wholeText)
    var fingerprints = FactObject()
    fingerprints.add("storetool/v1", fingerprint)
    var result = FactObject()
    result.add("ruleId", finding.code)
    result.add("ruleIndex", rule)
    result.add("level", finding.severity.rawValue)
    result.add("message", message.value)
    result.add("locations", finding.place.map { [location(of: $0)] } ?? [])
    result.add("partialFingerprints", fingerprints.value)
    return result
  }

  private static func location(of place: SourcePlace) -> FactObject {
    let path = place.file.belowWorkingDirectory
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var artifact = FactObject()
    artifact.add("uri", isAbsolute ? "file://" + path.inURI : path.inURI)
    if !isAbsolute { artifact.add("uriBaseId", "%SRCROOT%") }
    var region = FactObject()
    region.add("startLine", place.line)
    region.add("startColumn", place.column)
    var physical = FactObject()
    physical.add("artifactLocation", artifact.value)
    physical.add("region", region.value)
    var location = FactObject()
    location.add("physicalLocation", physical.value)
    return location
  }
}

/// What tells a finding from others when its line has moved: its code, file and words, and the how many-eth of
/// these it is.
private struct Fingerprints {
  private(set) var all: [String] = []

  init(of findings: [Diagnostic]) {
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

extension Diagnostic {
  /// The message and what to do, line by line.
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
  /// A path as services know it that have checked out the working directory: relative where it can be.
  var belowWorkingDirectory: String {
    let path = FilePath(self)
    if path.isAbsolute, let here = FileIdentity(of: "."), let part = path.part(below: here) {
      return "\(part.orHere)"
    }
    return hasPrefix("./") ? String(dropFirst(2)) : self
  }

  /// Bytes that may not stand in a URI's path in percent.
  fileprivate var inURI: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = utf8.flatMap { byte -> [UInt8] in
      plain.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
