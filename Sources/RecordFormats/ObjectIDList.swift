/// The members of a to-many relationship as one cell holds them: `4:7,4:9`.
package struct ObjectIDList {
  /// `Z_ENT:Z_PK` of each member; empty for none.
  package let pairs: UnsafeBufferPointer<UInt8>
  /// What an ID begins with, by `Z_ENT`.
  let prefixes: [Int64: [UInt8]]

  /// Writes the IDs one after the other.
  package func write(
    into out: inout ByteBuffer, before: StaticString = "", after: StaticString = "",
    between: StaticString
  ) {
    for (index, pair) in pairs.split(separator: UInt8(ascii: ",")).enumerated() {
      let parts = pair.split(separator: UInt8(ascii: ":"))
      guard parts.count == 2,
        let number = NumberText.integer(UnsafeBufferPointer(rebasing: parts[0]))
      else { continue }
      if index > 0 { out.append(between) }
      out.append(before)
      out.append(prefixes[number] ?? Array("x-coredata:///\(number)/p".utf8))
      out.append(UnsafeBufferPointer(rebasing: parts[1]))
      out.append(after)
    }
  }
}
