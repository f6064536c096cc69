/// A value that the encoder writes without asking it to encode itself.
protocol JSONScalar {
  var json: JSONValue { get }
}

extension JSONScalar where Self: BinaryInteger {
  var json: JSONValue { JSONValue(.number("\(self)")) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  var json: JSONValue { JSONValue(isFinite ? .number("\(self)") : .string("\(self)")) }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension Float: JSONScalar {}
extension Double: JSONScalar {}
extension Bool: JSONScalar { var json: JSONValue { JSONValue(.boolean(self)) } }
extension String: JSONScalar { var json: JSONValue { JSONValue(.string(self)) } }
extension JSONValue: JSONScalar { var json: JSONValue { self } }
