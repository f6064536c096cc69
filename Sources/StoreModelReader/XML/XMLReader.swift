import CLibXML2

/// Reads a file into a tree of elements with libxml2's SAX2 interface.
///
/// SAX because only there the parser's place in the input is known at each tag; libxml2's own tree
/// keeps no more than a line number.
package enum XMLReader {
  /// The root element of a file.
  package static func read(
    _ source: XMLSource, as dialect: XMLDialect = .model
  ) throws(XMLError) -> XMLElement {
    try checkEncoding(of: source, dialect)
    try checkAttributes(of: source, dialect)
    guard let size = Int32(exactly: source.bytes.count) else {
      throw XMLError(.tooLarge(bytes: source.bytes.count), at: 0, in: source, as: dialect)
    }
    _ = libraryIsReady
    let builder = XMLTreeBuilder(dialect)
    let isParsed = source.bytes.withUnsafeBytes { buffer -> Bool in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      guard let context = xmlCreateMemoryParserCtxt(start, size) else { return false }
      defer { xmlFreeParserCtxt(context) }
      parse(with: context, into: builder)
      return true
    }
    guard isParsed else { throw XMLError(.noMemory, at: 0, in: source, as: dialect) }
    do throws(XMLError) {
      return try builder.result(in: source)
    } catch {
      let conflicts = source.conflicts
      guard case .malformed = error.kind, let first = conflicts.first else { throw error }
      throw XMLError(
        .conflicts(conflicts), at: source.offset(ofLine: first.lowerBound), in: source, as: dialect)
    }
  }

  private static func checkEncoding(
    of source: XMLSource, _ dialect: XMLDialect
  ) throws(XMLError) {
    guard !source.bytes.isEmpty else {
      throw XMLError(.empty, at: 0, in: source, as: dialect)
    }
    // UTF-16 of Latin text is valid UTF-8 with a NUL in every second byte.
    guard !source.bytes.contains(0), String(validating: source.bytes, as: UTF8.self) != nil else {
      throw XMLError(.notUTF8, at: 0, in: source, as: dialect)
    }
  }

  /// How many attributes an element may have; libxml2 compares each with all others.
  static let attributeLimit = 1000

  /// Counts the equals signs of each tag. No raw `<` stands in a value, so a quote that is left open, in a
  /// comment, ends there at the latest.
  private static func checkAttributes(
    of source: XMLSource, _ dialect: XMLDialect
  ) throws(XMLError) {
    var (count, isInTag, quote) = (0, false, UInt8(0))
    for (offset, byte) in source.bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"): (count, isInTag, quote) = (0, true, 0)
      case _ where !isInTag: continue
      case quote: quote = 0
      case _ where quote != 0: continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: ">"): isInTag = false
      case UInt8(ascii: "="): count += 1
      default: continue
      }
      guard count <= attributeLimit else {
        throw XMLError(
          .tooManyAttributes(limit: attributeLimit), at: offset, in: source, as: dialect)
      }
    }
  }

  /// libxml2 wants to be initialised once, before threads use it.
  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  private static func parse(with context: xmlParserCtxtPtr, into builder: XMLTreeBuilder) {
    builder.context = context
    defer { builder.context = nil }
    // The whole structure is replaced: the default callbacks take the user data for a parser
    // context, and would also print errors.
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = startElement
    handler.endElementNs = endElement
    if builder.dialect.keepsText {
      handler.characters = characters
      handler.ignorableWhitespace = characters
      handler.cdataBlock = characters
    }
    // Where a document type is allowed, nothing is done with it: its entities stay unknown.
    if !builder.dialect.allowsDocumentType { handler.internalSubset = documentType }
    handler.serror = structuredError
    context.pointee.sax.pointee = handler
    context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
    // NOENT: without it `&amp;` arrives as `&#38;`. Never HUGE: its limits are the protection
    // against deep and giant input. The encoding was checked above; what the file declares is moot.
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    xmlParseDocument(context)
    builder.isWellFormed = context.pointee.wellFormed == 1
  }
}

private let startElement: startElementNsSAX2Func = {
  userData, name, prefix, _, _, _, count, _, attributes in
  guard let builder = XMLTreeBuilder.from(userData), let name else { return }
  builder.open(
    qualifiedName(prefix, name), attributes: readAttributes(attributes, count: Int(count)))
}

private let endElement: endElementNsSAX2Func = { userData, _, _, _ in
  XMLTreeBuilder.from(userData)?.close()
}

private let characters: charactersSAXFunc = { userData, text, count in
  guard let text else { return }
  XMLTreeBuilder.from(userData)?.add(UnsafeBufferPointer(start: text, count: Int(count)))
}

private let documentType: internalSubsetSAXFunc = { userData, _, _, _ in
  XMLTreeBuilder.from(userData)?.fail(.documentType)
}

private let structuredError: xmlStructuredErrorFunc = { userData, error in
  guard let builder = XMLTreeBuilder.from(userData), let error,
    error.pointee.level == XML_ERR_FATAL
  else { return }
  let message = error.pointee.message.map { String(cString: $0) } ?? "unknown error"
  let line = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
  // Advice to programmers, not to whoever wrote the file.
  let advice = " use XML_PARSE_HUGE option"
  builder.fail(.malformed(line.hasSuffix(advice) ? String(line.dropLast(advice.count)) : line))
}

/// libxml2 hands out five pointers an attribute: name, prefix, URI, first and end byte of the value.
private func readAttributes(
  _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
) -> [XMLElement.Attribute] {
  guard let pointers else { return [] }
  return (0..<count).compactMap { index in
    let five = pointers + index * 5
    guard let name = five[0], let start = five[3], let end = five[4] else { return nil }
    let value = UnsafeBufferPointer(start: start, count: end - start)
    return XMLElement.Attribute(
      name: qualifiedName(five[1], name), value: String(decoding: value, as: UTF8.self))
  }
}

private func qualifiedName(
  _ prefix: UnsafePointer<xmlChar>?, _ name: UnsafePointer<xmlChar>
) -> String {
  let local = String(cString: name)
  return prefix.map { "\(String(cString: $0)):\(local)" } ?? local
}

/// Collects the elements of one parse; the first fault stops it.
final class XMLTreeBuilder {
  let dialect: XMLDialect
  /// Valid only while libxml2 parses.
  var context: xmlParserCtxtPtr?
  var isWellFormed = false
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var fault: (kind: XMLError.Kind, offset: Int)?

  init(_ dialect: XMLDialect) {
    self.dialect = dialect
  }

  /// The builder behind libxml2's user data.
  static func from(_ userData: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    userData.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  func open(_ name: String, attributes: [XMLElement.Attribute]) {
    open.append(XMLElement(name: name, attributes: attributes, tagEnd: offset))
  }

  func close() {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  /// libxml2 hands out long text in pieces, cut between characters.
  func add(_ text: UnsafeBufferPointer<xmlChar>) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += String(decoding: text, as: UTF8.self)
  }

  func fail(_ kind: XMLError.Kind) {
    guard fault == nil else { return }
    fault = (kind, offset)
    if let context { xmlStopParser(context) }
  }

  /// The parser's place in the file. `consumed` counts what libxml2 has dropped from its buffer.
  private var offset: Int {
    guard let input = context?.pointee.input, let current = input.pointee.cur,
      let base = input.pointee.base
    else { return 0 }
    return (current - base) + Int(input.pointee.consumed)
  }

  func result(in source: XMLSource) throws(XMLError) -> XMLElement {
    if let fault { throw XMLError(fault.kind, at: fault.offset, in: source, as: dialect) }
    guard isWellFormed, let root else {
      throw XMLError(
        .malformed("the root element is not complete"), at: source.bytes.count, in: source,
        as: dialect)
    }
    return root
  }
}

/// What kind of file is read, as far as XML is concerned.
package struct XMLDialect: Hashable, Sendable {
  /// For messages: `a model`.
  package let noun: String
  /// The root element's name.
  package let root: String
  package let keepsText: Bool
  package let allowsDocumentType: Bool

  /// Keeps everything in attributes.
  package static let model = XMLDialect(
    noun: "a model", root: "model", keepsText: false, allowsDocumentType: false)

  /// SQL stands in text.
  package static let definition = XMLDialect(
    noun: "a migration", root: "migration", keepsText: true, allowsDocumentType: false)

  /// Core Data's own XML store, which names its DTD and keeps values in text.
  package static let mappingModel = XMLDialect(
    noun: "a mapping model", root: "database", keepsText: true, allowsDocumentType: true)
}
