import StoreDiagnostics

/// From one version of a model to another, with nothing in between.
package struct VersionJump: Hashable, Sendable {
  package var from: String
  package var to: String

  package init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  package static func == (left: VersionJump, right: VersionJump) -> Bool {
    left.from.isExactly(right.from) && left.to.isExactly(right.to)
  }
}
