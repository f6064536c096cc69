/// What a merge calls its sides, and how it marks a conflict.
package struct MergeLabels: Hashable, Sendable {
  package var ours: String
  package var theirs: String
  /// How many `<`, `=` and `>` a marker has; Git may ask for more where markers nest.
  package var markerSize: Int

  package init(ours: String = "ours", theirs: String = "theirs", markerSize: Int = 7) {
    self.ours = ours
    self.theirs = theirs
    self.markerSize = markerSize
  }

  func inWords(_ side: MergeSide) -> String {
    let label = side == .ours ? ours : theirs
    return label == "ours" || label == "theirs" ? label : "'\(label)'"
  }

  var start: String { marker("<", ours) }
  var middle: String { String(repeating: "=", count: markerSize) }
  var end: String { marker(">", theirs) }

  private func marker(_ sign: Character, _ label: String) -> String {
    String(repeating: sign, count: markerSize) + (label.isEmpty ? "" : " " + label)
  }
}
