#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A place on the earth, for distanceToLocation:fromLocation:.
package struct Location {
  private let latitude: Double
  private let longitude: Double

  /// Reads the keys `latitude` and `longitude`, in degrees.
  init(_ value: EvaluatedValue, at range: TextRange) throws(EvaluationError) {
    func degrees(_ key: String) -> Double? {
      let found: EvaluatedValue? =
        switch value {
        case .object(let object): object.value(forKey: key)
        case .dictionary(let values): values[key]
        case .value, .list, .set: nil
        }
      guard case .value(let plain)? = found else { return nil }
      return plain.number?.real
    }
    guard let latitude = degrees("latitude"), let longitude = degrees("longitude") else {
      throw EvaluationError(.expectedLocation(found: value.noun), at: range)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Metres along the great circle, on a sphere of the earth's mean radius.
  package func distance(to other: Location) -> Double {
    let radians = Double.pi / 180
    let northing = sin((other.latitude - latitude) * radians / 2)
    let easting = sin((other.longitude - longitude) * radians / 2)
    let chord =
      northing * northing
      + cos(latitude * radians) * cos(other.latitude * radians) * easting * easting
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
