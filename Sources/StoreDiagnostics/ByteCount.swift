/// Bytes for people.
package enum ByteCount {
  /// `812 bytes`, `4.2 MB`
  package static func text(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (amount, unit) = (Double(bytes) / 1000, 0)
    while amount >= 999.95, unit < units.count - 1 { (amount, unit) = (amount / 1000, unit + 1) }
    let tenths = Int64((amount * 10).rounded())
    return tenths >= 1000 || tenths % 10 == 0
      ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
