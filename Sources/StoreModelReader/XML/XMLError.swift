package import StoreDiagnostics

/// A reason why a file can't be read as XML.
package struct XMLError: Error, Sendable {
  package enum Kind: Hashable, Sendable {
    case empty
    case tooLarge(bytes: Int)
    case tooManyAttributes(limit: Int)
    /// The file isn't UTF-8, for example because it is UTF-16. Xcode writes UTF-8.
    case notUTF8
    /// The file has a document type, which could define entities, including external ones.
    case documentType
    /// The file contains merge conflicts in these lines.
    case conflicts([ClosedRange<Int>])
    /// The XML is malformed, with a message from libxml2.
    case malformed(String)
    case noMemory
  }

  package var kind: Kind
  package var dialect: XMLDialect
  package var source: XMLSource
  package var range: Range<Int>

  /// Creates an error at the location at which the parser detected it.
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

  /// Returns the range of `<!DOCTYPE`. The parser detects a document type at an offset after its name.
  private static func documentType(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "<")) ?? offset
    return start..<min(start + "<!DOCTYPE".utf8.count, bytes.count)
  }

  /// Returns an empty range at `offset`. If `offset` is the end of the file, the range is at the end of its last text,
  /// so that the excerpt isn't empty.
  private static func lastText(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    guard offset == bytes.count else { return offset..<offset }
    let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    return end..<end
  }
}

extension XMLError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    var diagnostic = plainDiagnostic
    diagnostic.place = source.place(of: range.lowerBound)
    if !source.bytes.isEmpty, kind != .notUTF8 { diagnostic.excerpt = source.excerpt(at: range) }
    return [diagnostic]
  }

  /// Returns line numbers, such as `lines 8–13 and 213–221`.
  private static func lines(_ conflicts: [ClosedRange<Int>]) -> String {
    let ranges = conflicts.map { "\($0.lowerBound)–\($0.upperBound)" }
    let last = ranges.suffix(1).joined()
    return "lines "
      + (ranges.count > 1 ? "\(ranges.dropLast().joined(separator: ", ")) and \(last)" : last)
  }

  private var plainDiagnostic: DiagnosticMessage {
    switch kind {
    case .empty:
      failure("empty", "the file is empty")
        .helping(
          "\(dialect.noun)'s file must begin with '<?xml' and contain a '\(dialect.root)' element")
    case .tooLarge(let bytes):
      failure("too-large", "the file is too large for \(dialect.noun): \(bytes) bytes")
    case .tooManyAttributes(let limit):
      failure("too-many-attributes", "an element has more than \(limit) attributes")
    case .notUTF8:
      failure("encoding", "the file isn't UTF-8 text")
        .helping("save it as UTF-8, as Xcode does")
    case .documentType:
      failure("document-type", "the file has a DOCTYPE, which isn't allowed in \(dialect.noun)")
        .helping("remove it; entities that it defines aren't supported")
    case .conflicts(let conflicts):
      failure(
        "conflict", "the file contains unresolved merge conflicts: \(Self.lines(conflicts))"
      ).helping(.model(.resolveConflicts))
    case .malformed(let reason):
      failure("malformed", "the XML is malformed: \(reason)")
    case .noMemory:
      DiagnosticMessage(
        .error, "xml.memory", "not enough memory to read the file", cause: .inputOutput)
    }
  }

  private func failure(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.error, "xml.\(code)", message)
  }
}
