import StoreModel

extension ModelDecoder {
  /// Where Xcode's editor draws the entities, by name. What makes no sense there is left out: the editor
  /// draws such an entity anywhere.
  func decodeFrames(_ elements: XMLElement) -> [String: EditorFrame] {
    let frames = elements.children(named: "element").compactMap { element in
      element["name"].flatMap { name in frame(of: element).map { (name, $0) } }
    }
    return Dictionary(frames) { first, _ in first }
  }

  private func frame(of element: XMLElement) -> EditorFrame? {
    let numbers = ["positionX", "positionY", "width", "height"].compactMap {
      element[$0].flatMap { Double($0) }
    }
    guard numbers.count == 4 else { return nil }
    return EditorFrame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
