import SQLiteAccess
import StoreLayout

extension StoreDescription {
  /// What is not as Core Data leaves a new store, apart from the rows.
  var fileRemarks: [Remark] {
    var remarks: [Remark] = []
    if let bytes = file.walSize, bytes > 0 { remarks.append(.uncheckpointed(bytes: bytes)) }
    // Older frameworks took 2048 on macOS.
    let isOld = (metadata?.frameworkVersion ?? 0) < 416
    if pages.size != 4096, !isOld { remarks.append(.unusualPageSize(pages.size)) }
    if pages.autoVacuum != 2 { remarks.append(.unusualVacuum(pages.autoVacuum)) }
    if derivationTriggerCount > 0 {
      remarks.append(.derivedAttributeTriggers(derivationTriggerCount))
    }
    if !foreignTriggers.isEmpty { remarks.append(.foreignTriggers(foreignTriggers)) }
    if let history, history.transactions > 0 {
      remarks.append(.history(transactions: history.transactions))
    }
    return remarks
  }

  var metadataRemarks: [Remark] {
    guard let metadata, !metadata.hashes.isEmpty else { return [] }
    return entities.filter { $0.hash == nil }.map { .renamedEntity($0.name, number: $0.number) }
  }
}
