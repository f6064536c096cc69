/// Why bytes are not taken for a property list.
package enum PropertyListError: Error, Hashable, Sendable {
  /// Neither the binary format nor XML in UTF-8.
  case unknownFormat
  /// In bytes.
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
}

extension PropertyListError {
  /// The rest of a sentence about a property list that can't be read.
  package var reason: String {
    switch self {
    case .unknownFormat: "it is neither a binary property list nor one in XML"
    case .tooLarge(let limit): "it holds more than \(limit >> 20) MB"
    case .tooDeep(let limit):
      "its arrays and dictionaries are nested more than \(limit) levels deep"
    }
  }
}
