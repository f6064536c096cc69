/// Compares texts in a time that tells nothing of where they differ.
func isSameText(_ given: some StringProtocol, _ wanted: String) -> Bool {
  let (left, right) = (Array(given.utf8), Array(wanted.utf8))
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for (left, right) in zip(left, right) { difference |= left ^ right }
  return difference == 0
}
