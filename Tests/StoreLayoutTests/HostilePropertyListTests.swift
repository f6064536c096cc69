import Foundation
import ModelArchives
import StoreLayout
import Testing
import TestSupport

/// Malicious metadata.
@Suite struct HostilePropertyListTests {
  private func fault(_ bytes: some Collection<UInt8>) -> PropertyListError? {
    #expect(throws: (any Error).self) {
      try StoreMetadata(uuid: "U", propertyList: Array(bytes))
    } as? PropertyListError
  }

  private func xml(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- <array> in a comment -->
      <plist version="1.0"><dict><key>k</key>\(body)</dict></plist>
      """.utf8)
  }

  private func nested(_ depth: Int) -> String {
    String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
  }

  @Test func nestedXMLArrays() throws {
    #expect(fault(xml(nested(10_000))) == .tooDeep(limit: 64))
    #expect(fault(xml(nested(64))) == .tooDeep(limit: 64))
    let deepest = try StoreMetadata(uuid: "U", propertyList: xml(nested(63)))
    #expect(deepest.entries.keys.elementsEqual(["k"]))
  }

  /// Text that looks like the end of an array.
  @Test(arguments: [
    "<array><!-- </array> -->", "<array><string><![CDATA[</array>]]></string>", "<array a='/>'>",
    "<array\n>", "<dict><key>a</key>",
  ])
  func hiddenLevels(_ opening: String) {
    #expect(fault(xml(String(repeating: opening, count: 10_000))) == .tooDeep(limit: 64))
  }

  @Test func siblingsAreNoLevels() throws {
    let many = String(repeating: "<dict/><array></array>", count: 1000)
    let metadata = try StoreMetadata(uuid: "U", propertyList: xml("<array>\(many)</array>"))
    guard case .array(let members)? = metadata.entries["k"] else {
      Issue.record("no array")
      return
    }
    #expect(members.count == 2000)
  }

  @Test(arguments: [
    String(repeating: "(", count: 10_000), #"{"a": 1}"#, "<plist>", "</array>",
    #"<?xml version="1.0" encoding="UTF-7"?><plist/>"#,
    "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>",
  ])
  func formatsThatAreNotRead(_ text: String) {
    let found = fault(text.utf8)
    #expect(found == .unknownFormat || text == "<plist>" && found == nil)
  }

  @Test func nestedBinaryArrays() {
    // Each array contains the next one. The last one is empty.
    let objects = (1...10_000).map { [0xA1, UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [[0xA0]]
    #expect(fault(binary(objects)) == .tooDeep(limit: 64))
  }

  /// 60 arrays, each of which contains the next one twice.
  @Test func sharedArraysDoNotMultiply() {
    let objects = (1...60).map { [0xA2, 0, UInt8($0), 0, UInt8($0)] } + [[0xA0]]
    #expect(fault(binary(objects)) == .tooLarge(limit: 16 << 20))
  }

  @Test func anArrayInItself() {
    #expect(fault(binary([[0xA1, 0, 0]])) == .tooDeep(limit: 64))
  }

  @Test func referencesBeyondEveryNumber() {
    let huge = [UInt8](repeating: 0xFF, count: 8)
    _ = fault(binary([[0xD1] + huge + huge], referenceSize: 8))
  }

  @Test func moreThanAListMayHold() {
    #expect(
      fault(xml("<string>" + String(repeating: "x", count: 16 << 20))) == .tooLarge(limit: 16 << 20)
    )
  }

  /// Foundation writes integers above 2⁶³ with 16 bytes, and reads or rejects them.
  @Test func unknownNumbersAreLeftToFoundation() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": UInt64.max, "b": "text"], format: .binary, options: 0)
    do {
      let metadata = try StoreMetadata(uuid: "U", propertyList: Array(list))
      #expect(metadata.entries["b"] == .string("text"))
    } catch {
      #expect(!(error is PropertyListError))
    }
  }

  /// A binary property list of these objects. The first one is the outermost object.
  private func binary(_ objects: [[UInt8]], referenceSize: UInt8 = 2) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += number(bytes.count, 4)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, referenceSize] + number(objects.count, 8)
      + number(0, 8) + number(table, 8)
  }
}
