import StorePredicate

extension TypeNames {
  /// A value of the model as Swift writes it; nil for one that the type's initialisers don't take, as
  /// NaN for a Decimal.
  func literal(_ value: Value, as type: SwiftType) -> SwiftCode? {
    let name = self(type)
    return switch (type, value) {
    case (.standard("Bool"), .boolean(let flag)): .text("\(flag)")
    case (.standard("Bool"), .integer(let number)): .text("\(number != 0)")
    case (.standard("Float"), .double(let number)): .text(SwiftLiteral.float(number))
    case (.standard, .double(let number)): .text(SwiftLiteral.double(number))
    case (.standard, .string(let text)): .text(SwiftLiteral.string(text))
    case (.foundation("URL"), .string(let text)):
      .call(name, [.labelled("string", .text(SwiftLiteral.string(text)))])
    case (.foundation("Decimal"), .double(let number)): SwiftLiteral.decimal(number, type: name)
    case (_, .integer(let number)): .text("\(number)")
    case (_, .date(let seconds)):
      .call(
        name,
        [.labelled("timeIntervalSinceReferenceDate", .text(SwiftLiteral.double(seconds)))])
    case (_, .uuid(let uuid)): SwiftLiteral.uuid(uuid, type: name)
    case (_, .binary(let bytes)): .call(name, [SwiftLiteral.bytes(bytes)])
    default: nil
    }
  }
}
