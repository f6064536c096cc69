import RecordFormats
import StoreLayout
import StoreModel

/// The facts of `model hash`.
enum HashFacts {
  private struct Record: Encodable {
    let entity: String
    let hash: String?
  }

  static func all(of model: Model) -> Facts {
    let hashes = VersionHash.hashes(of: model)
    return .records(
      columns: ["entity", "hash"],
      model.entities.map { Record(entity: $0.name, hash: hashes[$0.name]?.base64) })
  }
}

extension [UInt8] {
  /// RFC 4648, padded.
  var base64: String {
    var out = ByteBuffer()
    withUnsafeBufferPointer { out.append(base64: $0) }
    return out.text
  }
}
