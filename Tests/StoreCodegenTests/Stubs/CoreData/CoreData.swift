// The part of Core Data that generated code uses, written by us for tests on systems without Apple's SDK.

@_exported import CoreDataObjects
@_exported import Foundation

extension NSPersistentStoreRequest {
  // Apple declares this initializer in the fetch request. Here, an extension of a generic class can't declare it.
  public convenience init(entityName: String) { self.init() }
}
