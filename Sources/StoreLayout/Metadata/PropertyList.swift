#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A property list as a value. It is read with `PropertyListDecoder`, which distinguishes Booleans from numbers.
/// `NSNumber` doesn't distinguish them on all platforms.
package enum PropertyList: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case date(Date)
  case data(Data)
  case array([PropertyList])
  case dictionary([String: PropertyList])
}

extension PropertyList: Codable {
  package init(from decoder: any Decoder) throws {
    let readers: [(any Decoder) throws -> PropertyList] = [
      { .string(try String(from: $0)) }, { .boolean(try Bool(from: $0)) },
      { .integer(try Int64(from: $0)) }, { .real(try Double(from: $0)) },
      { .data(try $0.singleValueContainer().decode(Data.self)) },
      { .date(try $0.singleValueContainer().decode(Date.self)) },
      { .array(try [PropertyList](from: $0)) },
      { .dictionary(try [String: PropertyList](from: $0)) },
    ]
    var mismatch: (any Error)?
    for read in readers {
      do {
        self = try read(decoder)
        return
      } catch let error as DecodingError {
        mismatch = error
      }
    }
    throw mismatch
      ?? DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: ""))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    }
  }
}
