/// The key of a root entity's user info that suppresses the index on `Z_ENT` with the value `YES`
/// (docs/formats/store-layout.md, "Indexes").
package enum EntityIndexKey {
  package static let name = "_NSEntityOmitSubentityColumnIndex"
}
