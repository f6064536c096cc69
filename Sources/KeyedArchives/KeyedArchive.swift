package import PropertyLists

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `NSKeyedArchiver` has written: objects with a class and named values.
package struct KeyedArchive {
  private let list: BinaryPropertyList
  /// The numbers that references count in.
  private let objects: [Int]
  private let root: Int

  /// An object of the archive.
  package struct Object {
    fileprivate let archive: KeyedArchive
    fileprivate let number: Int
  }

  /// Nil for bytes that are no keyed archive.
  package init?(_ bytes: [UInt8]) {
    guard let list = BinaryPropertyList(bytes),
      let top = Self.value(of: "$top", in: list.top, list),
      let root = Self.value(of: "root", in: top, list), case .reference(let index)? = list[root],
      let table = Self.value(of: "$objects", in: list.top, list),
      case .array(let objects)? = list[table],
      objects.indices.contains(index)
    else { return nil }
    self.list = list
    self.objects = objects
    self.root = objects[index]
  }

  /// - Parameter text: the archive in base64, in lines of any length.
  package init?(base64 text: String) {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      return nil
    }
    self.init(Array(data))
  }

  package var rootObject: Object { Object(archive: self, number: root) }

  /// The number of a dictionary's value.
  private static func value(of key: String, in number: Int, _ list: BinaryPropertyList) -> Int? {
    guard case .dictionary(let keys, let values)? = list[number] else { return nil }
    return zip(keys, values).first { list[$0.0] == .string(key) }?.1
  }

  fileprivate func follow(_ number: Int) -> Int? {
    guard case .reference(let index)? = list[number] else { return number }
    return objects.indices.contains(index) ? objects[index] : nil
  }

  fileprivate func plain(_ number: Int) -> BinaryPropertyList.Object? { list[number] }

  fileprivate func value(of key: String, in number: Int) -> Int? {
    Self.value(of: key, in: number, list).flatMap(follow)
  }
}

extension KeyedArchive.Object {
  /// A value by its name; references are followed.
  package subscript(key: String) -> KeyedArchive.Object? {
    archive.value(of: key, in: number).map { KeyedArchive.Object(archive: archive, number: $0) }
  }

  /// A string, a number; nil for an object with values of its own.
  package var plain: BinaryPropertyList.Object? {
    switch archive.plain(number) {
    // How an archive writes nil.
    case .string("$null"): .null
    case .array, .dictionary, nil: nil
    case let value?: value
    }
  }

  package var text: String? {
    if case .string(let text)? = plain { text } else { self["NS.string"]?.text }
  }

  package var integer: Int? {
    if case .integer(let number)? = plain { Int(exactly: number) } else { nil }
  }

  /// The name of its class.
  package var className: String? { self["$class"]?["$classname"]?.text }

  /// The members of an archived array.
  package var members: [KeyedArchive.Object] {
    guard let list = archive.value(of: "NS.objects", in: number),
      case .array(let numbers)? = archive.plain(list)
    else { return [] }
    return numbers.compactMap(archive.follow).map {
      KeyedArchive.Object(archive: archive, number: $0)
    }
  }
}
