// Stands for Core Data where Apple's SDK is not. Our own words.

@_exported import CoreDataObjects
@_exported import Foundation

extension NSPersistentStoreRequest {
  // Of the fetch request in Apple's; here an extension of a generic class can't make one.
  public convenience init(entityName: String) { self.init() }
}
