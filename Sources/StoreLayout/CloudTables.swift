/// The tables in which `NSPersistentCloudKitContainer` keeps what it knows of the cloud: names of records and zones,
/// encoded records, events. No known store shows them; their names begin alike.
package enum CloudTables {
  package static let prefix = "ANSCK"
}
