import StorePredicate

extension ByteBuffer {
  /// A date as ISO 8601; a number that is not a date (NaN, ages away) as digits.
  package mutating func append(date seconds: Double) {
    dateBytes.removeAll(keepingCapacity: true)
    if ISODate.append(seconds, to: &dateBytes) {
      append(dateBytes)
    } else {
      append(shortest: seconds)
    }
  }
}
