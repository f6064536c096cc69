// The part of Foundation that Objective-C classes use, for tests on systems without Apple's SDK: the values of this
// system's Foundation, and the few classes that generated code mentions, written by us.

@_exported import FoundationEssentials
@_exported import FoundationObjects

public typealias TimeInterval = Double

extension NSObject: @retroactive Hashable {
  public static func == (one: NSObject, other: NSObject) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NSPredicate {
  public convenience init(format: String, _ arguments: Any...) { self.init() }
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self { self }
}

// MARK: Values that are Objective-C objects

extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { NSString() }
  public static func _forceBridgeFromObjectiveC(_: NSString, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSString, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSString?) -> Self { fatalError() }
}

extension Date: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDate { NSDate() }
  public static func _forceBridgeFromObjectiveC(_: NSDate, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSDate, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSDate?) -> Self { fatalError() }
}

extension Data: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSData { NSData() }
  public static func _forceBridgeFromObjectiveC(_: NSData, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSData, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSData?) -> Self { fatalError() }
}

extension URL: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURL { NSURL() }
  public static func _forceBridgeFromObjectiveC(_: NSURL, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSURL, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSURL?) -> Self { fatalError() }
}

extension UUID: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSUUID { NSUUID() }
  public static func _forceBridgeFromObjectiveC(_: NSUUID, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSUUID, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSUUID?) -> Self { fatalError() }
}

extension Array: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { NSArray() }
  public static func _forceBridgeFromObjectiveC(_: NSArray, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSArray, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSArray?) -> Self { fatalError() }
}

extension Set: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSSet { NSSet() }
  public static func _forceBridgeFromObjectiveC(_: NSSet, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSSet, result: inout Self?) -> Bool {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSSet?) -> Self { fatalError() }
}

extension Dictionary: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { NSDictionary() }
  public static func _forceBridgeFromObjectiveC(_: NSDictionary, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_: NSDictionary, result: inout Self?)
    -> Bool
  {
    false
  }
  public static func _unconditionallyBridgeFromObjectiveC(_: NSDictionary?) -> Self { fatalError() }
}
