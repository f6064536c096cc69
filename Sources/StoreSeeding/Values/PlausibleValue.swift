import ModelArchives
import StoreModel
import StorePredicate

/// Values that users of an app might have entered, within the bounds of the attribute.
struct PlausibleValue: Sendable {
  private enum Source: Sendable {
    case boolean
    case integer(NumberKind, ClosedRange<Int64>)
    case number(NumberKind, ClosedRange<Double>, isSingle: Bool)
    case date(ClosedRange<Double>)
    case text(TextKind, TextRules)
    case pattern(PatternText, TextRules)
    case uuid
    case binary
    case archive
    /// No values can be generated for the type, the bounds or the pattern.
    case none
  }

  private let source: Source

  init(_ attribute: AttributeDescription, of entity: String, rules: TextRules) {
    switch attribute.type {
    case .boolean: source = .boolean
    case .integer16, .integer32, .integer64:
      source = attribute.integerRange.map { .integer(NumberKind(attribute), $0) } ?? .none
    case .decimal, .double, .float:
      let limit = attribute.type == .float ? 1e6 : 1e9
      let range = attribute.range(-limit...limit)
      source =
        range.map { .number(NumberKind(attribute), $0, isSingle: attribute.type == .float) }
        ?? .none
    case .date:
      source = attribute.range(SeedDates.range(for: attribute.name)).map(Source.date) ?? .none
    case .string, .uri:
      source =
        rules.fault != nil
        ? .none
        : rules.pattern.map { .pattern($0, rules) }
          ?? .text(TextKind(attribute, of: entity), rules)
    case .uuid: source = .uuid
    case .binary: source = .binary
    case .transformable: source = .archive
    case .undefined, .objectID, .composite: source = .none
    }
  }

  /// Returns the next value, or NULL if none can be generated.
  func next(_ random: inout SeedRandom) -> DataValue {
    switch source {
    case .boolean: return .boolean(random.oneIn(2))
    case .integer(let kind, let range): return .integer(kind.integer(in: range, &random))
    case .number(let kind, let range, let isSingle):
      let number = kind.number(in: range, &random)
      return .double(isSingle ? Double(Float(number)).clamped(to: range) : number)
    case .date(let range):
      let width = Int(min(range.upperBound - range.lowerBound, 1e9))
      return .date((range.lowerBound + Double(random.below(width + 1))).clamped(to: range))
    case .text(let kind, let rules): return .string(rules.fitted(kind.text(&random), &random))
    case .pattern(let pattern, let rules):
      return Self.text(pattern, rules, &random).map(DataValue.string) ?? .null
    case .uuid: return .uuid(.seeded(random.next(), random.next()))
    case .binary:
      return .binary(
        (0..<8 + random.below(25)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case .archive: return .binary(SeedArchive.bytes(of: TextKind.title.text(&random)))
    case .none: return .null
    }
  }

  /// The number of texts of a pattern that are tried, because some of them may have an invalid length.
  private static let patience = 500

  private static func text(
    _ pattern: PatternText, _ rules: TextRules, _ random: inout SeedRandom
  ) -> String? {
    for _ in 0..<patience {
      let text = pattern.text(random.next())
      if rules.allows(text) { return text }
    }
    return nil
  }

  var isPossible: Bool {
    switch source {
    case .none: return false
    case .pattern(let pattern, let rules):
      var random = SeedRandom(seed: 1)
      return Self.text(pattern, rules, &random) != nil
    case .boolean, .integer, .number, .date, .text, .uuid, .binary, .archive: return true
    }
  }
}

extension TextRules {
  /// Returns a text of valid length, by adding words or by shortening it.
  fileprivate func fitted(_ text: String, _ random: inout SeedRandom) -> String {
    var text = text
    while text.utf16.count < length.lowerBound {
      text += " " + random.element(of: Words.nouns)
      if text.utf16.count > 10_000 { break }
    }
    return text.utf16.count <= length.upperBound
      ? text : text.cut(to: length.upperBound, least: length.lowerBound)
  }
}

extension String {
  /// Shortens a text at a character boundary, and pads it if it becomes too short.
  fileprivate func cut(to length: Int, least: Int) -> String {
    let text = shortened(to: length)
    return text + String(repeating: "x", count: max(0, least - text.utf16.count))
  }
}

/// A keyed archive of a text, as the value of a transformable attribute, whose class isn't known.
enum SeedArchive {
  static func bytes(of text: String) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.string(text)
    return writer.bytes(root: root)
  }
}
