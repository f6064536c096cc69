// The declarations of Core Data that generated classes mention. Our own words: a stand-in for the
// compiler where Apple's SDK is not.

#import "FoundationObjects.h"

#pragma clang assume_nonnull begin

@class NSManagedObjectContext;

@protocol NSFetchRequestResult
@end

@interface NSObject (NSFetchRequestResult) <NSFetchRequestResult>
@end

@interface NSEntityDescription : NSObject
@end

@interface NSManagedObjectID : NSObject
@end

@interface NSPersistentStoreRequest : NSObject
@end

typedef enum __attribute__((enum_extensibility(open))) NSFetchRequestResultType : NSUInteger {
  NSManagedObjectResultType = 0,
  NSManagedObjectIDResultType = 1,
  NSDictionaryResultType = 2,
  NSCountResultType = 4,
} NSFetchRequestResultType;

@interface NSFetchRequest<__covariant ResultType : id<NSFetchRequestResult>> : NSPersistentStoreRequest
@property (nullable) NSPredicate *predicate;
@property NSUInteger fetchLimit;
@property NSUInteger fetchBatchSize;
@property BOOL includesSubentities;
@property BOOL includesPropertyValues;
@property BOOL returnsObjectsAsFaults;
@property BOOL returnsDistinctResults;
@property BOOL includesPendingChanges;
@property NSFetchRequestResultType resultType;
@end

@interface NSManagedObject : NSObject
@property (class, readonly) NSEntityDescription *entity;
@property (readonly) NSEntityDescription *entity;
@property (readonly) NSManagedObjectID *objectID;
@property (nullable, readonly) NSManagedObjectContext *managedObjectContext;
@property (readonly) BOOL hasChanges;
@property (readonly) BOOL isInserted;
@property (readonly) BOOL isUpdated;
@property (readonly) BOOL isDeleted;
@property (readonly) BOOL isFault;
@property (readonly) NSUInteger faultingState;
+ (NSFetchRequest<id<NSFetchRequestResult>> *)fetchRequest;
- (void)awakeFromFetch;
- (void)awakeFromInsert;
- (void)prepareForDeletion;
- (void)willSave;
- (void)didSave;
@end

#pragma clang assume_nonnull end
