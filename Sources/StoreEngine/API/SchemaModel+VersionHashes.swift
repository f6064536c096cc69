import Foundation
import StoreLayout
public import StoreModel

extension SchemaModel {
  /// Entity to version hash in base64, as a store's metadata holds them. Worked out anew each time where
  /// the generated source does not have them: `storetool generate` writes them, the plugin does not.
  public static var versionHashes: [String: String] {
    VersionHash.hashes(of: model).mapValues { Data($0).base64EncodedString() }
  }
}
