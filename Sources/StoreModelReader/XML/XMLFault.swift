/// Why a file could not be read as XML.
package struct XMLFault: Error, Sendable {
  package enum Kind: Hashable, Sendable {
    case empty
    case tooLarge(bytes: Int)
    /// UTF-16 and the like: Xcode writes UTF-8.
    case notUTF8
    /// A document type could bring entities of its own, external ones too.
    case documentType
    /// libxml2's own words.
    case malformed(String)
    case noMemory
  }

  package var kind: Kind
  package var source: XMLSource
  package var range: Range<Int>
}
