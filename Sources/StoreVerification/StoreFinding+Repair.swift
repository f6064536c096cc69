extension StoreFinding {
  /// The effect of `PersistentStore.repair` on the finding, as a sentence in English. `nil` if a repair can't fix it
  /// without a loss of data.
  public var repairEffect: String? { isRepairable ? effect : nil }

  private var effect: String? {
    switch kind {
    case .missingTable: "creates the empty table"
    case .misnamedTable(_, let usual): "renames the table to \(usual)"
    case .missingColumn: "adds the column with the entity numbers of the referenced rows"
    case .missingIndex: "creates the index"
    case .missingTrigger: "creates the trigger"
    case .missingRTree: "creates the R-tree and its triggers from the rows"
    case .staleRTree: "corrects the locations in the R-tree"
    case .rTreeGhosts: "removes the rows from the R-tree"
    case .dangling, .lostOwner: "sets the references to NULL"
    case .wrongDestinationEntity: "stores the entity of the referenced row"
    case .ghostPairs: "removes the pairs"
    case .wrongEntity: "stores the only possible entity number"
    case .shortCounter: "raises the counter to the highest key"
    case .wrongDerivedValue: "computes the values again"
    case .orphanFiles:
      "removes files that are more than an hour old, unless a value without its file may need them"
    case .unreadableMetadata, .integrity, .truncated, .notATable, .missingPrimaryKey,
      .unreadableTable, .noMetadata, .noHashes, .misdirected, .disputedDestinationEntity,
      .misdirectedPairs, .misdirectedOwner, .oneSided, .emptyInverse, .unlistedEntity,
      .wrongParent, .otherName, .unknownEntity, .duplicates, .missingValue, .invalidText,
      .missingPlace, .sharedPlace, .memberCount, .missingFiles, .linkedFolder, .linkedFiles,
      .lostTransaction, .lostText, .wrongSum:
      nil
    }
  }
}
