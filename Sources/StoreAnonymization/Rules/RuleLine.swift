import StoreDiagnostics

/// A rule with its location.
package struct RuleLine: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    /// A line of a file, with the UTF-8 offsets of the attribute and of the rule.
    case file(RulesText, attribute: Range<Int>, rule: Range<Int>)
    /// The user info of an attribute, such as `Person.name`.
    case userInfo(String)
  }

  /// The path of the attribute, such as `Person.name`, `name` or `Person.home.street`.
  package var path: String
  package var rule: AnonymizationRule
  package var origin: Origin
}

/// The text of a file with rules.
package struct RulesText: Hashable, Sendable {
  package var text: String
  package var file: String

  package init(_ text: String, file: String) {
    (self.text, self.file) = (text, file)
  }

  /// Returns the rules of valid lines, and the errors of invalid lines. Skips empty lines and lines that begin with
  /// `#`.
  ///
  ///     # Names
  ///     Person.name: fake-name
  ///     email: hash
  func read() -> (lines: [RuleLine], issues: [RuleIssue]) {
    var (lines, issues): ([RuleLine], [RuleIssue]) = ([], [])
    var start = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      defer { start += line.count + 1 }
      let range = trimmed(line.startIndex..<line.endIndex)
      guard let first = text.utf8[range].first, first != UInt8(ascii: "#") else { continue }
      guard let colon = text.utf8[range].firstIndex(of: UInt8(ascii: ":")) else {
        issues.append(RuleIssue(.noColon, in: self, at: offsets(range)))
        continue
      }
      let path = trimmed(range.lowerBound..<colon)
      let rule = trimmed(text.utf8.index(after: colon)..<range.upperBound)
      let places = (offsets(path), offsets(rule))
      do throws(RuleTextError) {
        lines.append(
          RuleLine(
            path: String(text[path]), rule: try AnonymizationRule(text: String(text[rule])),
            origin: .file(self, attribute: places.0, rule: places.1)))
      } catch {
        // An empty rule can't be marked in the excerpt, so the colon is marked.
        let place = rule.isEmpty ? offsets(colon..<text.utf8.index(after: colon)) : places.1
        issues.append(RuleIssue(.text(error), in: self, at: place))
      }
    }
    return (lines, issues)
  }

  private func trimmed(_ range: Range<String.Index>) -> Range<String.Index> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var piece = text.utf8[range]
    while let byte = piece.first, isBlank(byte) { piece = piece.dropFirst() }
    while let byte = piece.last, isBlank(byte) { piece = piece.dropLast() }
    return piece.startIndex..<piece.endIndex
  }

  private func offsets(_ range: Range<String.Index>) -> Range<Int> {
    let utf8 = text.utf8
    return utf8.distance(
      from: utf8.startIndex, to: range.lowerBound)..<utf8.distance(
        from: utf8.startIndex, to: range.upperBound)
  }
}

/// An error in a rule, or a note about it.
package struct RuleIssue: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case noColon
    case text(RuleTextError)
    case unknownAttribute(String, known: [String])
    /// Only another version of the model has the attribute. This is a note.
    case otherVersion(String)
    case relationship(String)
    case derived(String)
    case transient(String)
    /// Two lines have the same path.
    case repeated(String)
    /// The rule isn't valid for the attribute.
    case fit(RuleFitError, attribute: String)
  }

  package var kind: Kind
  package var origin: RuleLine.Origin

  init(_ kind: Kind, _ origin: RuleLine.Origin) {
    (self.kind, self.origin) = (kind, origin)
  }

  /// - Parameter place: UTF-8 offsets.
  init(_ kind: Kind, in text: RulesText, at place: Range<Int>) {
    self.init(kind, .file(text, attribute: place, rule: place))
  }
}

/// All errors in the rules.
package struct RulesError: Error, Hashable, Sendable {
  package var issues: [RuleIssue]
}
