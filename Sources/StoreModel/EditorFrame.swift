/// Where Xcode's editor draws an entity. It stands in a model's file and is no part of the model.
package struct EditorFrame: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double

  /// Nil for numbers that no editor has written.
  package init?(x: Double, y: Double, width: Double, height: Double) {
    let all = [x, y, width, height]
    guard all.allSatisfy({ abs($0) <= Self.limit }), width >= 0, height >= 0 else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  private static let limit = 1_000_000.0
}
