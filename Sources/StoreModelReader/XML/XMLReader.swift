import CLibXML2

/// Reads a file into a tree of elements by means of libxml2's SAX2 interface.
///
/// Only SAX provides the position in the input at each tag. The tree of libxml2 contains only line numbers.
package enum XMLReader {
  /// Returns the root element of a file.
  package static func read(
    _ source: XMLSource, as dialect: XMLDialect = .model
  ) throws(XMLError) -> XMLElement {
    func failure(_ kind: XMLError.Kind, at offset: Int = 0) -> XMLError {
      XMLError(kind, at: offset, in: source, as: dialect)
    }
    guard !source.bytes.isEmpty else { throw failure(.empty) }
    // UTF-16 of Latin text is valid UTF-8 in which every second byte is NUL.
    guard !source.bytes.contains(0), String(validating: source.bytes, as: UTF8.self) != nil else {
      throw failure(.notUTF8)
    }
    if let offset = offset(ofExcessAttributeIn: source.bytes) {
      throw failure(.tooManyAttributes(limit: attributeLimit), at: offset)
    }
    guard let size = Int32(exactly: source.bytes.count) else {
      throw failure(.tooLarge(bytes: source.bytes.count))
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
    guard isParsed else { throw failure(.noMemory) }
    do throws(XMLError) {
      return try builder.result(in: source)
    } catch {
      let conflicts = source.conflicts
      guard case .malformed = error.kind, let first = conflicts.first else { throw error }
      throw failure(.conflicts(conflicts), at: source.offset(ofLine: first.lowerBound))
    }
  }

  /// The maximum number of attributes of an element. It limits the time, because libxml2 compares each attribute with
  /// all others.
  static let attributeLimit = 1000

  /// Returns the offset at which a tag contains more equals signs outside of quotes than `attributeLimit`. A comment
  /// can contain an unbalanced quote, so each `<` also ends a quoted text. A valid attribute value can't contain `<`.
  private static func offset(ofExcessAttributeIn bytes: [UInt8]) -> Int? {
    var (count, isInTag, quote) = (0, false, UInt8(0))
    for (offset, byte) in bytes.enumerated() {
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
      if count > attributeLimit { return offset }
    }
    return nil
  }

  /// Initializes libxml2 once, before threads use it.
  private static let libraryIsReady: Bool = {
    xmlInitParser()
    return true
  }()

  private static func parse(with context: xmlParserCtxtPtr, into builder: XMLTreeBuilder) {
    builder.context = context
    defer { builder.context = nil }
    // The whole structure is replaced, because the default callbacks expect a parser context as user data, and print
    // errors.
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = startElement
    handler.endElementNs = endElement
    if builder.dialect.keepsText {
      handler.characters = characters
      handler.ignorableWhitespace = characters
      handler.cdataBlock = characters
    }
    // If the dialect allows a document type, it is ignored, so entities that it defines are unknown.
    if !builder.dialect.allowsDocumentType { handler.internalSubset = documentType }
    handler.serror = structuredError
    context.pointee.sax.pointee = handler
    context.pointee.userData = Unmanaged.passUnretained(builder).toOpaque()
    // NOENT is required, because `&amp;` would otherwise be passed as `&#38;`. HUGE must not be set, because it removes
    // the limits that protect against deep and large input. The encoding was already checked, so the declared one is
    // ignored.
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
  // libxml2 can append advice for programmers, which doesn't help the author of the file.
  let advice = " use XML_PARSE_HUGE option"
  builder.fail(.malformed(line.hasSuffix(advice) ? String(line.dropLast(advice.count)) : line))
}

/// Converts the attributes of libxml2, each of which has five pointers: name, prefix, URI, and the start and the end of
/// the value.
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

/// Builds the tree of a file's elements. The first error stops the parser.
final class XMLTreeBuilder {
  let dialect: XMLDialect
  /// The parser context. It is nil except while libxml2 parses.
  var context: xmlParserCtxtPtr?
  var isWellFormed = false
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var fault: (kind: XMLError.Kind, offset: Int)?

  init(_ dialect: XMLDialect) {
    self.dialect = dialect
  }

  /// Returns the builder in libxml2's user data.
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

  /// Adds a part of a text to the innermost open element. libxml2 passes a long text in several parts, but doesn't
  /// split a character.
  func add(_ text: UnsafeBufferPointer<xmlChar>) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += String(decoding: text, as: UTF8.self)
  }

  func fail(_ kind: XMLError.Kind) {
    guard fault == nil else { return }
    fault = (kind, offset)
    if let context { xmlStopParser(context) }
  }

  /// The parser's position in the file. `consumed` is the number of bytes that libxml2 has removed from its buffer.
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
        .malformed("the root element isn't complete"), at: source.bytes.count, in: source,
        as: dialect)
    }
    return root
  }
}

/// The name of the root element, and the XML features, of a type of file.
package struct XMLDialect: Hashable, Sendable {
  /// The name in messages, such as `a model`.
  package let noun: String
  package let root: String
  package let keepsText: Bool
  package let allowsDocumentType: Bool

  /// The XML of a model, whose values are in attributes.
  package static let model = XMLDialect(
    noun: "a model", root: "model", keepsText: false, allowsDocumentType: false)

  /// The XML of a migration, whose SQL is in texts.
  package static let definition = XMLDialect(
    noun: "a migration", root: "migration", keepsText: true, allowsDocumentType: false)

  /// Core Data's XML store, which has a DTD and values in texts.
  package static let mappingModel = XMLDialect(
    noun: "a mapping model", root: "database", keepsText: true, allowsDocumentType: true)
}
