/// The numbers that rows get.
package enum KeyRange {
  /// Above this the next rows of one transaction could run out of 64 bits.
  package static let limit = Int64.max >> 1
}
