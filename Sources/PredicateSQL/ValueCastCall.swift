import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `VALUE_CAST(value, source, target)`: CAST where SQLite's own does not know what a column holds, by the
/// code that does it in memory.
enum ValueCastCall {
  static let name = "VALUE_CAST"

  static func sql(_ value: SQL, of source: ValueType, to target: CastType) -> SQL {
    // All other values tell by themselves what they are.
    let kind: CastType? =
      switch source {
      case .attribute(.date): .date
      case .attribute(.uuid): .uuid
      case .any, .attribute, .object, .entity, .collection: nil
      }
    return
      "VALUE_CAST(\(value), \(value: .text(kind?.rawValue ?? "")), \(value: .text(target.rawValue)))"
  }

  static func call(_ call: FunctionCall) {
    guard let target = call.text(at: 2).flatMap(CastType.init), let value = value(call) else {
      return call.returnNull()
    }
    call.answer(SQLiteValue(value.cast(to: target)))
  }

  /// Nil for NULL.
  private static func value(_ call: FunctionCall) -> Value? {
    let source = call.text(at: 1).flatMap(CastType.init)
    switch call.value(at: 0) {
    case .integer(let number): return source == .date ? .date(Double(number)) : .integer(number)
    case .real(let number): return source == .date ? .date(number) : .double(number)
    case .text(let text): return .string(text)
    case .blob(let bytes):
      guard source == .uuid else { return .binary(bytes) }
      guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
      return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case .null, nil: return nil
    }
  }
}
