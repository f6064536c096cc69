// The classes of Foundation that generated classes for Core Data mention, with no more than that needs.
// Our own words: a stand-in for the compiler where Apple's SDK is not.

#pragma clang assume_nonnull begin

typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

__attribute__((objc_root_class))
@interface NSObject
+ (void)initialize;
+ (void)load;
- (instancetype)init;
- (id)copy;
- (id)mutableCopy;
@property (readonly) NSUInteger hash;
@property (readonly, copy) id description;
@end

@interface NSString : NSObject
@end

@interface NSNumber : NSObject
@end

@interface NSDecimalNumber : NSNumber
@end

@interface NSOrderedSet : NSObject
@end

@interface NSIndexSet : NSObject
@end

@interface NSDictionary : NSObject
@end

@interface NSArray : NSObject
@end

@interface NSSet : NSObject
@end

@interface NSDate : NSObject
@end

@interface NSData : NSObject
@end

@interface NSURL : NSObject
@end

@interface NSUUID : NSObject
@end

@interface NSPredicate : NSObject
@end

#pragma clang assume_nonnull end
