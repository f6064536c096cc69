import ModelArchives

/// What a transformable attribute may hold, whose class nobody here knows: a text, as Foundation archives it.
enum SeedArchive {
  static func bytes(of text: String) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.string(text)
    return writer.bytes(root: root)
  }
}
