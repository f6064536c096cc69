#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Parser {
  /// A cast of a literal that the type can hold is that value: dates, UUIDs, data and object IDs have
  /// no literals of their own, so this is how they are written.
  func cast(
    _ value: FormatExpression, toTypeNamedBy type: FormatExpression
  ) throws(PredicateSyntaxError) -> FormatExpression.Kind {
    guard case .constant(.string(let name)) = type.kind else {
      throw PredicateSyntaxError(.expected(.typeName), type.range.range)
    }
    guard case .constant(let literal) = value.kind else {
      return .cast(value, to: try castType(name, at: type.range))
    }
    if name == Self.objectIDType {
      guard case .string(let uri) = literal, let id = ObjectID(text: uri) else {
        throw unreadable(value, type: name)
      }
      return .constant(.objectID(id))
    }
    let type = try castType(name, at: type.range)
    switch (type, literal) {
    case (.date, .integer(let seconds)): return .constant(.date(Double(seconds)))
    case (.date, .double(let seconds)): return .constant(.date(seconds))
    case (.number, .string(let text)):
      // Infinity and NaN have no literal either.
      guard let number = Double(text), !number.isFinite else { break }
      return .constant(.double(number))
    case (.uuid, .string(let text)):
      guard let uuid = UUID(uuidString: text) else { throw unreadable(value, type: name) }
      return .constant(.uuid(uuid))
    case (.data, .string(let text)):
      guard let data = Data(base64Encoded: text) else { throw unreadable(value, type: name) }
      return .constant(.binary(Array(data)))
    default: break
    }
    return .cast(value, to: type)
  }

  static var objectIDType: String { "NSManagedObjectID" }

  private func castType(_ name: String, at range: TextRange) throws(PredicateSyntaxError)
    -> CastType
  {
    guard let type = CastType(rawValue: name) else {
      throw PredicateSyntaxError(.unknownCastType(name), range.range)
    }
    return type
  }

  private func unreadable(_ value: FormatExpression, type: String) -> PredicateSyntaxError {
    guard case .constant(.string(let text)) = value.kind else {
      return PredicateSyntaxError(.unreadableCast("", type: type), value.range.range)
    }
    return PredicateSyntaxError(.unreadableCast(text, type: type), value.range.range)
  }
}
