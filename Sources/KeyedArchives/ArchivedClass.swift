/// A class with its ancestors, as an archive names them.
package struct ArchivedClass: Hashable, Sendable {
  /// The class itself first.
  package let names: [String]

  /// - Parameter ancestors: the nearest first, without NSObject.
  package init(_ name: String, _ ancestors: String...) {
    names = [name] + ancestors + ["NSObject"]
  }

  package static let array = ArchivedClass("NSArray")
  package static let mutableArray = ArchivedClass("NSMutableArray", "NSArray")
  package static let set = ArchivedClass("NSSet")
  package static let dictionary = ArchivedClass("NSDictionary")
  package static let mutableDictionary = ArchivedClass("NSMutableDictionary", "NSDictionary")
  package static let string = ArchivedClass("NSString")
  package static let date = ArchivedClass("NSDate")
  package static let uuid = ArchivedClass("NSUUID")
  package static let url = ArchivedClass("NSURL")
  package static let decimal = ArchivedClass("NSDecimalNumber", "NSNumber", "NSValue")
}
