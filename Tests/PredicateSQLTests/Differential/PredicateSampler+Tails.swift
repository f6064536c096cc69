import StoreModel
import StorePredicate

// Operators and right sides for a left side of a known type.

extension PredicateSampler {
  mutating func tail(_ kind: Kind, _ depth: Int) -> String {
    if below(10) == 0 || kind == .opaque {
      return "\(pick(["==", "!=", "=", "<>"])) \(pick(["nil", "NULL", "NIL"]))"
    }
    switch kind {
    case .number: return ordered(kind, depth, options: below(30) == 0 ? "[c]" : "")
    case .date, .uuid, .binary: return ordered(kind, depth, options: "")
    case .text: return text(depth)
    case .boolean:
      return below(4) == 0
        ? "IN \(list(kind, 0, isTyped: false))"
        : "\(pick(["==", "!=", "="])) \(right(kind, depth))"
    case .object(let entity): return objectTail(entity, depth)
    case .opaque: return "== nil"
    }
  }

  private mutating func ordered(_ kind: Kind, _ depth: Int, options: String) -> String {
    switch below(10) {
    case 0, 1:
      return "BETWEEN\(options) {\(right(kind, 0)), \(right(kind, 0))}"
    case 2, 3:
      return "\(pick(["IN", "in"]))\(options) \(list(kind, depth, isTyped: false))"
    case 4:
      if let path = many(kind, depth) { return "IN\(options) \(path)" }
    default: break
    }
    return "\(relation())\(options) \(right(kind, depth))"
  }

  private mutating func text(_ depth: Int) -> String {
    let options = pick(["", "", "", "[c]", "[d]", "[cd]", " [cd]", "[n]", "[cn]", "[l]", "[cdl]"])
    switch below(10) {
    case 0...3:
      let test = pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "contains"])
      let part = below(4) == 0 ? right(.text, depth) : quoted(part(of: anyText()))
      return "\(test)\(options) \(part)"
    case 4: return "LIKE\(options) \(below(5) == 0 ? value(.text, 0) : quoted(pattern()))"
    case 5: return "MATCHES\(options) \(quoted(expression()))"
    case 6: return "IN\(options) \(right(.text, depth))"
    default: return ordered(.text, depth, options: options)
    }
  }

  private mutating func objectTail(_ entity: String, _ depth: Int) -> String {
    switch below(6) {
    case 0: return "IN \(objectList(entity))"
    case 1:
      let isFitting = { (destination: String) in
        SampleModelPaths.lineage(of: destination).contains(entity)
          || SampleModelPaths.lineage(of: entity).contains(destination)
      }
      if let (path, destination) = collection(depth), isFitting(destination) {
        return "IN \(path)"
      }
    default: break
    }
    return "\(pick(["==", "!=", "=", "<>"])) \(object(entity))"
  }

  private mutating func objectList(_ entity: String) -> String {
    let members = (0..<below(5)).map { _ in constant(entity) }
    return "{\(members.joined(separator: ", "))}"
  }

  mutating func entityTail(_ entity: String) -> String {
    let names = SampleModelPaths.subtree(of: entity) + SampleModelPaths.lineage(of: entity)
    guard below(3) == 0 else { return "\(pick(["==", "!="])) '\(pick(names))'" }
    return "IN {\((0..<below(3)).map { _ in "'\(pick(names))'" }.joined(separator: ", "))}"
  }

  /// Returns a literal more often than a path, so that some rows match.
  private mutating func right(_ kind: Kind, _ depth: Int) -> String {
    below(3) == 0 ? value(kind, depth - 1) : literal(kind, isTyped: false)
  }

  /// Returns a list such as `{1, nil, age}`.
  mutating func list(_ kind: Kind, _ depth: Int, isTyped: Bool) -> String {
    var members = (0..<below(5)).map { _ in literal(kind, isTyped: isTyped) }
    if below(5) == 0 { members.append("nil") }
    if below(5) == 0, let path = leaf(kind) { members.append(path) }
    if below(30) == 0, kind == .number { members += (0..<300).map { "\($0 * 3 - 450)" } }
    if below(8) == 0, !isTyped, kind.hasLiterals { return variable(constants(kind)) }
    if below(8) == 0, !isTyped, kind.hasLiterals {
      let values = (0..<below(4)).map { _ in FormatArgument.value(constant(of: kind)) }
      return placeholder("%@", .list(values))
    }
    return "{\(members.shuffled(using: &random).joined(separator: ", "))}"
  }

  private mutating func constants(_ kind: Kind) -> FormatExpression {
    FormatExpression(.list((0..<below(4)).map { _ in .value(constant(of: kind)) }))
  }

  /// Returns a path to many values of a type.
  private mutating func many(_ kind: Kind, _ depth: Int) -> String? {
    guard let (path, destination) = collection(depth),
      let leaf = SampleModelPaths.leaves(of: destination).filter({ $0.kind == kind })
        .randomElement(using: &random)
    else { return nil }
    return "\(path).\(leaf.path)"
  }

  // MARK: Literals

  private mutating func constant(of kind: Kind) -> DataValue {
    switch kind {
    case .number:
      pick(
        SampleValues.values(of: .integer32) + SampleValues.values(of: .integer16)
          + SampleValues.values(of: .double) + SampleValues.values(of: .integer64))
    case .boolean: pick(SampleValues.values(of: .boolean))
    case .text: .string(anyText())
    case .date: pick(SampleValues.values(of: .date))
    case .uuid: pick(SampleValues.values(of: .uuid))
    case .binary: pick(SampleValues.values(of: .binary))
    case .opaque, .object: .null
    }
  }

  /// - Parameter isTyped: whether the literal must contain its type, because the other operand doesn't determine it.
  mutating func literal(_ kind: Kind, isTyped: Bool) -> String {
    if case .object(let entity) = kind { return constant(entity) }
    let value = constant(of: kind)
    if !isTyped, below(12) == 0 {
      return variable(.value(below(8) == 0 ? .null : value))
    }
    if below(12) == 0 {
      if case .integer = value, below(2) == 0 { return placeholder("%ld", .value(value)) }
      return placeholder("%@", .value(value))
    }
    if !isTyped, below(3) == 0, let text = SampleValues.text(of: value) { return quoted(text) }
    if case .boolean(let flag) = value {
      return pick(flag ? ["YES", "true", "1"] : ["NO", "FALSE", "0"])
    }
    return FormatExpression.value(value).format
  }

  private mutating func anyText() -> String { pick(SampleValues.texts) }

  private func quoted(_ text: String) -> String { FormatExpression.value(.string(text)).format }

  /// Returns a part of a string, which may end inside a character.
  private mutating func part(of text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > 1 else { return text }
    let start = below(scalars.count)
    let end = start + below(scalars.count - start) + 1
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[start..<end])
    return String(part)
  }

  private mutating func pattern() -> String {
    var result = ""
    for _ in 0..<(1 + below(3)) {
      result += pick(["*", "*", "?", "\\*", "\\?", "\\\\", "[", part(of: anyText())])
    }
    return result
  }

  private mutating func expression() -> String {
    pick([
      ".*", "", "[a-zA-Z]+", "(a|b)*", "[^a]", "\\w+", "\\d+", ".", "..", "a.*", ".*[éë]",
      "\\p{L}*",
      "(?i)a.*", ".*\\n.*", "(?s).*", "s{2}", "i|ı", "\\S", "^A$", "e\u{301}", "é",
    ])
  }
}
