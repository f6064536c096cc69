/// Words that stand for the boxes or rows of a picture in a language: the name itself where that language
/// can't take it for anything else, so that a picture in version control changes little.
struct PartIdentifiers {
  private let prefix: String
  private let isPlain: (String) -> Bool
  private var taken: Set<String> = []

  /// - Parameters:
  ///   - prefix: what stands before a name that is not plain.
  ///   - isPlain: of a name of letters, digits and underscores that begins with a letter.
  init(prefix: String, isPlain: @escaping (String) -> Bool) {
    self.prefix = prefix
    self.isPlain = isPlain
  }

  mutating func identifier(for name: String, of kind: String = "") -> String {
    let word = String(
      String.UnicodeScalarView(name.unicodeScalars.map { $0.isWord ? $0 : "_" }))
    let isWord = word == name && name.first?.isLetter == true
    let wanted = isWord && isPlain(name) ? name : prefix + kind + word
    var identifier = wanted
    var number = 2
    while !taken.insert(identifier).inserted {
      identifier = "\(wanted)_\(number)"
      number += 1
    }
    return identifier
  }
}

extension Unicode.Scalar {
  /// A letter, a digit or an underscore of ASCII.
  var isWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
