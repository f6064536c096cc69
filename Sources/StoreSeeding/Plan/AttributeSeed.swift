import StoreModel
import StorePredicate

/// What makes the values of an attribute.
struct AttributeSeed: Sendable {
  /// The group that tells rows apart, and which of its values this attribute takes.
  struct Carrier: Hashable, Sendable {
    var group: Int
    var index: Int
  }

  enum Content: Sendable {
    case value(Value)
    /// What the model gives a row that says nothing.
    case byDefault
  }

  private enum Source: Sendable {
    case plausible(PlausibleValue)
    case extreme(Attribute, as: AttributeType?)
    case none
  }

  /// Of the insert plan.
  let field: Int
  let carrier: Carrier?
  private let source: Source
  private let isOptional: Bool
  /// Whether NULL will do where there is no other value.
  private let isLenient: Bool
  /// NULL once in so many times; nil for never.
  private let nullIn: Int?
  /// The default once in so many times; nil for never.
  private let defaultIn: Int?
  /// The type that unique texts must survive to be converted to.
  private let textType: AttributeType?

  /// - Throws: `SeedError.noValue`
  init(
    _ attribute: Attribute, field: Int, of entity: String, _ seeding: Seeding, carrier: Carrier?
  ) throws(SeedError) {
    self.field = field
    self.carrier = carrier
    let demand = seeding.demands[entity, attribute.name]
    isOptional = attribute.isOptional && !demand.isRequired
    isLenient = seeding.style == .extreme
    let hasDefault = attribute.defaultValue != nil
    guard seeding.style == .plausible else {
      source = .extreme(attribute, as: demand.type)
      (nullIn, defaultIn) = (isOptional ? 4 : nil, nil)
      textType = attribute.type == .string ? demand.type : nil
      return
    }
    textType = nil
    let rules = TextRules(attribute)
    let made = PlausibleValue(attribute, of: entity, rules: rules)
    let isOpaque = attribute.type == .transformable && isOptional
    guard carrier != nil || made.isPossible && !isOpaque else {
      guard isOptional || hasDefault else {
        throw .noValue(entity: entity, attribute: attribute.name, rules.fault)
      }
      source = .none
      (nullIn, defaultIn) = (hasDefault ? nil : 1, hasDefault ? 1 : nil)
      return
    }
    source = .plausible(made)
    // A flag is mostly left as it is, what else has a default sometimes.
    defaultIn = hasDefault ? (attribute.type == .boolean ? 2 : 4) : nil
    nullIn = isOptional ? 8 : nil
  }

  /// - Parameter unique: the values of each group for this row; nil where a group has no more.
  func next(_ unique: [[Value]?], _ random: inout SeedRandom) -> Content {
    if let carrier {
      if let values = unique[carrier.group] { return .value(converted(values[carrier.index])) }
      if isOptional || isLenient { return .value(.null) }
    }
    if let nullIn, random.oneIn(nullIn) { return .value(.null) }
    if let defaultIn, random.oneIn(defaultIn) { return .byDefault }
    switch source {
    case .plausible(let made): return .value(made.next(&random))
    case .extreme(let attribute, let type):
      return .value(ExtremeValue.random(attribute, as: type, using: &random))
    case .none: return .byDefault
    }
  }

  private func converted(_ value: Value) -> Value {
    guard let textType, case .string(let text) = value, let number = TextKind.number(in: text)
    else { return value }
    return .string(ExtremeValue.text(of: Int64(number), as: textType))
  }
}
