import RecordFormats
import StoreLayout
import StoreModel

/// The facts of `model hash`.
enum HashFacts {
  static func all(of model: Model) -> Facts {
    let hashes = VersionHash.hashes(of: model)
    let records = model.entities.map { entity in
      var object = FactObject()
      object.add("entity", entity.name)
      object.add("hash", hashes[entity.name].map { $0.base64 })
      return object.value
    }
    return .records(columns: ["entity", "hash"], records)
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
