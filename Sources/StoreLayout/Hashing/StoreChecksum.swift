#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The two sums over all entity hashes that newer frameworks keep in a store's metadata.
package enum StoreChecksum {
  /// `NSStoreModelVersionHashesDigest`: SHA-512 over name and hash of every entity, as base64.
  package static func digest(of hashes: [String: [UInt8]]) -> String {
    var input = HashInput()
    for name in hashes.keys.sorted(by: HashInput.isInOrder) {
      input.append(name)
      input.append(hashes[name] ?? [])
    }
    return Data(input.sha512).base64EncodedString()
  }

  /// `NSStoreModelVersionChecksumKey`: SHA-256 over the hashes alone, as base64.
  package static func checksum(of hashes: [String: [UInt8]]) -> String {
    var input = HashInput()
    for name in hashes.keys.sorted(by: HashInput.isInOrder) { input.append(hashes[name] ?? []) }
    return Data(input.sha256).base64EncodedString()
  }
}
