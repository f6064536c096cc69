/// The arguments of a fuzzing program: names, each with a value.
public struct NamedArguments {
  /// The arguments are invalid. The program prints its usage.
  public struct Misuse: Error {
    public init() {}
  }

  private var values: [String: String] = [:]

  /// - Parameter known: the names, with their dashes.
  /// - Throws: `Misuse`
  public init(_ arguments: some Sequence<String>, known: Set<String>) throws {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard known.contains(name), let value = rest.popFirst() else { throw Misuse() }
      values[name] = value
    }
  }

  /// Nil if the argument is missing.
  public subscript(_ name: String) -> String? { values[name] }

  /// - Throws: `Misuse` for an invalid number.
  public func number<Number: LosslessStringConvertible>(_ name: String) throws -> Number? {
    guard let text = values[name] else { return nil }
    guard let number = Number(text) else { throw Misuse() }
    return number
  }

  /// - Throws: `Misuse` if the argument is missing.
  public func required(_ name: String) throws -> String {
    guard let text = values[name], !text.isEmpty else { throw Misuse() }
    return text
  }
}
