package import StoreDiagnostics

/// Why a file could not be read as XML.
package struct XMLError: Error, Sendable {
  package enum Kind: Hashable, Sendable {
    case empty
    case tooLarge(bytes: Int)
    case tooManyAttributes(limit: Int)
    /// UTF-16 and the like: Xcode writes UTF-8.
    case notUTF8
    /// A document type could bring entities of its own, external ones too.
    case documentType
    /// Conflicts that a merge has left, by their lines.
    case conflicts([ClosedRange<Int>])
    /// libxml2's own words.
    case malformed(String)
    case noMemory
  }

  package var kind: Kind
  package var dialect: XMLDialect
  package var source: XMLSource
  package var range: Range<Int>

  /// The fault at the place where the parser noticed it.
  init(_ kind: Kind, at offset: Int, in source: XMLSource, as dialect: XMLDialect) {
    self.kind = kind
    self.dialect = dialect
    self.source = source
    let offset = min(max(offset, 0), source.bytes.count)
    range =
      switch kind {
      case .documentType: Self.documentType(before: offset, in: source.bytes)
      case .conflicts: offset..<offset
      case .empty, .tooLarge, .tooManyAttributes, .notUTF8, .malformed, .noMemory:
        Self.lastText(before: offset, in: source.bytes)
      }
  }

  /// The parser notices a DOCTYPE behind its name.
  private static func documentType(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "<")) ?? offset
    return start..<min(start + "<!DOCTYPE".utf8.count, bytes.count)
  }

  /// At the end of the file there may be nothing but line breaks to show.
  private static func lastText(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    guard offset == bytes.count else { return offset..<offset }
    let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    return end..<end
  }
}

extension XMLError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    var diagnostic = plainDiagnostic
    diagnostic.place = source.place(of: range.lowerBound)
    if !source.bytes.isEmpty, kind != .notUTF8 { diagnostic.excerpt = source.excerpt(at: range) }
    return [diagnostic]
  }

  /// `lines 8–13 and 213–221`
  private static func lines(_ conflicts: [ClosedRange<Int>]) -> String {
    let ranges = conflicts.map { "\($0.lowerBound)–\($0.upperBound)" }
    let last = ranges.suffix(1).joined()
    return "lines "
      + (ranges.count > 1 ? "\(ranges.dropLast().joined(separator: ", ")) and \(last)" : last)
  }

  private var plainDiagnostic: Diagnostic {
    switch kind {
    case .empty:
      Diagnostic(.error, "xml.empty", "the file is empty")
        .helping("\(dialect.noun)'s file begins with '<?xml' and holds a '\(dialect.root)' element")
    case .tooLarge(let bytes):
      Diagnostic(
        .error, "xml.too-large", "the file is too large for \(dialect.noun): \(bytes) bytes")
    case .tooManyAttributes(let limit):
      Diagnostic(
        .error, "xml.too-many-attributes", "an element has more than \(limit) attributes here")
    case .notUTF8:
      Diagnostic(.error, "xml.encoding", "the file is not UTF-8 text")
        .helping("save it as UTF-8, as Xcode does")
    case .documentType:
      Diagnostic(
        .error, "xml.document-type", "the file has a DOCTYPE, which \(dialect.noun) never has"
      )
      .helping("remove it; the entities that it may define are not read")
    case .conflicts(let conflicts):
      Diagnostic(
        .error, "xml.conflict",
        "the file holds unresolved conflicts of a merge: \(Self.lines(conflicts))"
      ).helping(.model(.resolveConflicts))
    case .malformed(let reason):
      Diagnostic(.error, "xml.malformed", "the XML is broken: \(reason)")
    case .noMemory:
      Diagnostic(
        .error, "xml.memory", "there is not enough memory to read the file", cause: .inputOutput)
    }
  }
}
