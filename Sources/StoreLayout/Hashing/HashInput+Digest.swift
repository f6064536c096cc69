#if canImport(CryptoKit)
  import CryptoKit

  extension HashInput {
    var sha256: [UInt8] { Array(SHA256.hash(data: bytes)) }

    var sha512: [UInt8] { Array(SHA512.hash(data: bytes)) }
  }
#else
  import CMessageDigest

  extension HashInput {
    var sha256: [UInt8] {
      digest(of: Int(SHA256_DIGEST_LENGTH), SHA256Init, SHA256Update, SHA256Final)
    }

    var sha512: [UInt8] {
      digest(of: Int(SHA512_DIGEST_LENGTH), SHA512Init, SHA512Update, SHA512Final)
    }

    private func digest(
      of length: Int, _ begin: (UnsafeMutablePointer<SHA2_CTX>?) -> Void,
      _ add: (UnsafeMutablePointer<SHA2_CTX>?, UnsafePointer<UInt8>?, Int) -> Void,
      _ end: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<SHA2_CTX>?) -> Void
    ) -> [UInt8] {
      var context = SHA2_CTX()
      begin(&context)
      add(&context, bytes, bytes.count)
      return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        end(buffer.baseAddress, &context)
        count = length
      }
    }
  }
#endif
