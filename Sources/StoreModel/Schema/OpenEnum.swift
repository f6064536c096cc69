/// A value of an enumeration, or a stored value that the enumeration doesn't declare, for example because a later
/// version of the app has written it.
///
/// The generated type of an attribute is an `OpenEnum` if the user info of the attribute contains `enumOpen` = `YES`.
///
///     let urgent = Task.all.where(\.priority == .known(.high))
///     switch task.priority {
///     case .known(let priority): show(priority)
///     case .unknown(let number): show("priority \(number)")
///     }
public enum OpenEnum<Known: RawRepresentable & Hashable & Sendable>: RawRepresentable, StorableValue
where Known.RawValue: StorableValue {
  /// A value of the enumeration.
  case known(Known)
  /// The raw value of no case of the enumeration.
  case unknown(Known.RawValue)

  /// Creates a value from any raw value.
  ///
  /// - Parameter rawValue: the raw value.
  @inlinable
  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map(Self.known) ?? .unknown(rawValue)
  }

  /// The raw value.
  @inlinable
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }

  /// The value of the enumeration, or `nil` if the enumeration doesn't declare it.
  @inlinable
  public var known: Known? { Known(rawValue: rawValue) }

  /// Returns whether the raw values are equal.
  @inlinable
  public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
  /// Encodes the raw value.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
  /// Decodes a raw value.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try Known.RawValue(from: decoder))
  }
}
