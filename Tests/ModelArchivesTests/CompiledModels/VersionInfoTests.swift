import Testing

@testable import ModelArchives

struct VersionInfoTests {
  @Test func readsXMLToo() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>NSManagedObjectModel_CurrentVersionName</key><string>Shop 2</string>
      <key>NSManagedObjectModel_VersionHashes</key><dict>
      <key>Shop</key><dict><key>Item</key><data>AQI=</data></dict>
      </dict></dict></plist>
      """
    #expect(
      try VersionInfo(Array(text.utf8))
        == VersionInfo(currentVersion: "Shop 2", hashes: ["Shop": ["Item": [1, 2]]]))
  }

  @Test func refusesOtherLists() {
    #expect(throws: (any Error).self) { try VersionInfo([1, 2, 3]) }
    #expect(throws: (any Error).self) {
      try VersionInfo(Array("<plist version=\"1.0\"><array/></plist>".utf8))
    }
  }
}
