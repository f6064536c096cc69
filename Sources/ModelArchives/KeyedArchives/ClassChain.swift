/// A class with its ancestors, as an archive names them.
package struct ClassChain: Hashable, Sendable {
  /// The class itself first.
  package let names: [String]

  /// - Parameter ancestors: the nearest first, without NSObject.
  package init(_ name: String, _ ancestors: String...) {
    names = [name] + ancestors + ["NSObject"]
  }

  package static let array = ClassChain("NSArray")
  package static let mutableArray = ClassChain("NSMutableArray", "NSArray")
  package static let set = ClassChain("NSSet")
  package static let dictionary = ClassChain("NSDictionary")
  package static let mutableDictionary = ClassChain("NSMutableDictionary", "NSDictionary")
  package static let string = ClassChain("NSString")
  package static let date = ClassChain("NSDate")
  package static let uuid = ClassChain("NSUUID")
  package static let url = ClassChain("NSURL")
  package static let decimal = ClassChain("NSDecimalNumber", "NSNumber", "NSValue")
}
