/// Foundation's own classes.
extension KeyedArchiveWriter {
  package mutating func string(_ text: String) -> Reference { plain(.string(text)) }

  /// An array or a set, by its class.
  package mutating func collection(
    _ members: [Reference], as class: ClassChain = .array
  ) -> Reference {
    object(`class`, [("NS.objects", .objects(members))])
  }

  package mutating func dictionary(
    _ entries: [(key: String, value: Reference)], as class: ClassChain = .mutableDictionary
  ) -> Reference {
    let reference = reserve()
    let keys = entries.map { string($0.key) }
    fill(
      reference, `class`,
      [("NS.keys", .objects(keys)), ("NS.objects", .objects(entries.map(\.value)))])
    return reference
  }

  /// - Parameter seconds: since 2001-01-01 00:00 UTC.
  package mutating func date(_ seconds: Double) -> Reference {
    object(.date, [("NS.time", .real(seconds))])
  }

  /// - Parameter bytes: all 16.
  package mutating func uuid(_ bytes: [UInt8]) -> Reference {
    object(.uuid, [("NS.uuidbytes", .data(bytes))])
  }

  package mutating func url(_ text: String) -> Reference {
    object(.url, [("NS.base", .object(.null)), ("NS.relative", .object(string(text)))])
  }

  /// mantissa × 10 ^ exponent.
  package mutating func decimal(
    mantissa: UInt64, exponent: Int, isNegative: Bool
  ) -> Reference {
    // The mantissa has room for eight units of 16 bits, the least first; the length counts those in use.
    let units = (64 - mantissa.leadingZeroBitCount + 15) / 16
    let bytes = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: mantissa >> (8 * $0)) : 0 }
    return object(
      .decimal,
      [
        ("NS.exponent", .integer(Int64(exponent))), ("NS.length", .integer(Int64(units))),
        ("NS.negative", .boolean(isNegative)), ("NS.compact", .boolean(true)),
        ("NS.mantissa.bo", .integer(1)), ("NS.mantissa", .data(bytes)),
      ])
  }
}
