import StoreModel
import Testing

@testable import StoreLayout

/// The spelling and the comparison of names, and types that are guessed from bytes.
struct NameReadingTests {
  @Test(arguments: [
    ("Person", "person"), ("URLItem", "urlItem"), ("ICAccount", "icAccount"), ("URL", "url"),
    ("person", "person"), ("_Person", "_Person"), ("", ""),
  ])
  func lowerCamelCase(_ name: String, _ lowered: String) {
    #expect(name.lowerCamelCase == lowered)
  }

  @Test(arguments: [
    ("album", "albums"), ("story", "stories"), ("day", "days"), ("box", "boxes"),
    ("address", "addresses"), ("match", "matches"), ("", ""),
  ])
  func plural(_ one: String, _ many: String) {
    #expect(one.plural == many)
  }

  @Test func likeness() {
    let state = NameLikeness("UserDeviceState")
    let scores = [
      "USERDEVICESTATE", "DEVICESTATE", "LOCALUSERDEVICESTATE", "STATEOFPLAY", "SENDER",
    ]
    .map(state.score)
    #expect(scores == scores.sorted(by: >))
    #expect(scores.last == 0)
    #expect(Set(scores).count == scores.count)
  }

  @Test(
    arguments: [
      ([], AttributeType.binary, false),
      ([[1, 2, 3]], .binary, false),
      ([[1] + Array("bplist00".utf8)], .transformable, true),
      ([Array("bplist00".utf8), Array("bplist00x".utf8)], .transformable, false),
      ([[2] + Array("6F9619FF-8B86-4011-B42D-00CF4FC964FF".utf8) + [0], [1, 9]], .binary, true),
      ([[0, 1, 2, 3, 4, 5, 0x41, 7, 0x80, 9, 10, 11, 12, 13, 14, 15]], .uuid, false),
      ([[0, 1, 2, 3, 4, 5, 0x01, 7, 0x80, 9, 10, 11, 12, 13, 14, 15], [1]], .binary, false),
    ] as [([[UInt8]], AttributeType, Bool)])
  func bytes(_ values: [[UInt8]], _ type: AttributeType, _ isExternal: Bool) {
    let kind = BlobKind(values.map { BlobSample(length: $0.count, start: $0) })
    #expect(kind.type == type)
    #expect(kind.isExternal == isExternal)
  }
}
