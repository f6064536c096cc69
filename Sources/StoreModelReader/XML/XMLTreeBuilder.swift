import CLibXML2

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
