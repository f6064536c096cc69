/// Digests of text that is no part of a model.
package enum Digest {
  /// SHA-256 in lower-case hexadecimal digits.
  package static func hexSHA256(of text: String) -> String {
    var input = HashInput()
    input.append(text)
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: input.sha256.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }
}
