/// A parser for the regular expressions of ICU, as far as texts can be generated for them:
/// https://unicode-org.github.io/icu/userguide/strings/regexp.html
struct PatternParser {
  private var rest: ArraySlice<Unicode.Scalar>
  private let slack: Int
  private var depth = 0

  private typealias Node = PatternText.Node

  private static let digits = Array(UInt32(0x30)...0x39)
  private static let capitals = Array(UInt32(0x41)...0x5A)
  private static let letters = capitals + Array(UInt32(0x61)...0x7A)
  private static let printable = Array(UInt32(0x20)...0x7E)

  /// - Parameter slack: The number of additional repetitions for a quantifier without a maximum.
  init(_ pattern: String, slack: Int) {
    rest = Array(pattern.unicodeScalars)[...]
    self.slack = slack
  }

  /// Returns nil if the expression isn't supported.
  mutating func pattern() -> PatternText.Node? {
    guard let node = choice(), rest.isEmpty else { return nil }
    return node
  }

  /// choice = sequence ("|" sequence)*
  private mutating func choice() -> Node? {
    guard depth < 64 else { return nil }
    depth += 1
    defer { depth -= 1 }
    var parts: [Node] = []
    repeat {
      guard let part = sequence() else { return nil }
      parts.append(part)
    } while take("|")
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  /// sequence = (atom quantifier?)*
  private mutating func sequence() -> Node? {
    var parts: [Node] = []
    while let next = rest.first, next != "|", next != ")" {
      // The expression must match the whole text, so anchors can be ignored.
      if take("^") || take("$") { continue }
      guard let atom = atom(), let part = quantified(atom) else { return nil }
      parts.append(part)
    }
    return .sequence(parts)
  }

  private mutating func atom() -> Node? {
    guard let next = rest.popFirst() else { return nil }
    switch next {
    case "(":
      if take("?") {
        // (?:…) is a group. Look-around, named groups and flags aren't supported.
        guard take(":") else { return nil }
      }
      guard let node = choice(), take(")") else { return nil }
      return node
    case "[": return set().map { .set($0) }
    case ".": return .set(Self.printable)
    case "\\": return escape().map { .set($0) }
    case "*", "+", "?", "{", "}", "]", ")": return nil
    default: return .set([next.value])
    }
  }

  /// quantifier = ("*" | "+" | "?" | "{" n ("," m?)? "}") ("?" | "+")?
  private mutating func quantified(_ atom: Node) -> Node? {
    var (least, most) = (1, 1)
    if take("*") {
      (least, most) = (0, slack)
    } else if take("+") {
      (least, most) = (1, 1 + slack)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if take("{") {
      guard let number = number() else { return nil }
      (least, most) = (number, number)
      if take(",") { most = self.number() ?? least + slack }
      guard take("}"), least <= most, most <= 1_000 else { return nil }
    } else {
      return atom
    }
    if !take("?") { _ = take("+") }
    return .repetition(atom, least, most)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let next = rest.first, let digit = Int(String(next)), next.isASCII, (number ?? 0) < 10_000
    {
      number = (number ?? 0) * 10 + digit
      rest = rest.dropFirst()
    }
    return number
  }

  /// set = "[" "^"? (member ("-" member)?)+ "]"
  private mutating func set() -> [UInt32]? {
    let isNegated = take("^")
    var scalars: Set<UInt32> = []
    while let next = rest.popFirst() {
      if next == "]" {
        let found = isNegated ? Self.printable.filter { !scalars.contains($0) } : scalars.sorted()
        return found.isEmpty ? nil : found
      }
      // Nested sets such as [[:alpha:]], [a[b]] and [a&&b] aren't supported.
      if next == "[" || next == "&" && rest.first == "&" { return nil }
      guard let first = next == "\\" ? escape() : [next.value] else { return nil }
      guard first.count == 1, rest.first == "-", rest.dropFirst().first != "]" else {
        scalars.formUnion(first)
        continue
      }
      rest = rest.dropFirst()
      guard let end = rest.popFirst(), let last = end == "\\" ? escape() : [end.value],
        last.count == 1, first[0] <= last[0], last[0] - first[0] < 0x1_0000
      else { return nil }
      scalars.formUnion((first[0]...last[0]).filter { Unicode.Scalar($0) != nil })
    }
    return nil
  }

  private mutating func escape() -> [UInt32]? {
    guard let next = rest.popFirst() else { return nil }
    switch next {
    case "d": return Self.digits
    case "w": return Self.digits + Self.letters + [0x5F]
    case "s": return [0x20]
    case "D": return Self.letters
    case "W": return [0x20, 0x2D, 0x2E]
    case "S": return Array(Self.printable.dropFirst())
    case "t": return [0x09]
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "p", "P": return category(isNegated: next == "P")
    default:
      // \b, \1, \x and others don't represent the character itself.
      let isPlain =
        !next.isASCII
        || !Self.letters.contains(next.value)
          && !Self.digits.contains(next.value)
      return isPlain ? [next.value] : nil
    }
  }

  /// Parses one of the common categories, such as `\p{Lu}`.
  private mutating func category(isNegated: Bool) -> [UInt32]? {
    guard !isNegated, take("{") else { return nil }
    let name = String(String.UnicodeScalarView(rest.prefix { $0 != "}" }))
    rest = rest.dropFirst(name.unicodeScalars.count)
    guard take("}") else { return nil }
    switch name {
    case "L", "Letter", "Alphabetic": return Self.letters
    case "Lu", "Upper", "Uppercase": return Self.capitals
    case "Ll", "Lower", "Lowercase": return Array(Self.letters.dropFirst(Self.capitals.count))
    case "N", "Nd", "Digit": return Self.digits
    default: return nil
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest = rest.dropFirst()
    return true
  }
}
