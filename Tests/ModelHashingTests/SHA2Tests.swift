import Foundation
import Testing

@testable import ModelHashing

/// Against the examples of FIPS 180-4, and against another program's digests.
struct SHA2Tests {
  private static let long =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  @Test(
    arguments: [
      (
        "",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        """
        cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
        47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
        """
      ),
      (
        "abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
        2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
        """
      ),
      (
        long,
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
        """
        8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
        501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
        """
      ),
    ])
  func examples(text: String, sha256: String, sha512: String) {
    #expect(hex(SHA256.hash(Array(text.utf8))) == sha256)
    #expect(hex(SHA512.hash(Array(text.utf8))) == sha512)
  }

  /// Where a message ends in its last block decides about the padding: the digest of the digests of 301
  /// messages, as Python's hashlib makes it.
  @Test func everyLength() {
    let messages = (0...300).map { count in
      (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
    }
    #expect(
      hex(SHA256.hash(messages.flatMap(SHA256.hash)))
        == "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc")
    #expect(
      hex(SHA512.hash(messages.flatMap(SHA512.hash))) == """
        e1f2f7d5d8fc48db06ec2a0eed639593f549caffa40245747258761214a3ec07\
        134903fde52ace6cfae161a82097ba01f33a97d48dd6a80d4521d96d7401357e
        """)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
