import StoreDiagnostics

extension PlacedDiagram {
  /// The point at which a line meets a box. `side` is 1 if the line leaves the box to the right, and -1 if it leaves to
  /// the left.
  private struct Joint {
    var x: Double
    var y: Double
    var side: Double

    /// Returns the coordinates of the point that is `distance` away from the box, and `aside` below the joint.
    func ahead(_ distance: Double, _ aside: Double = 0) -> String {
      "\((x + side * distance).short),\((y + aside).short)"
    }
  }

  /// Returns the SVG of a line: a curve that leaves each box at the side that is nearer to the other box, with the
  /// symbols at its ends.
  func lineText(_ line: ModelDiagram.Line) -> String {
    let (start, end) = joints(of: line)
    let reach = start.side == end.side ? 50 : max(40, abs(start.x - end.x) / 2)
    var path = "M \(start.ahead(0)) C \(start.ahead(reach)) \(end.ahead(reach)) \(end.ahead(0))"
    if line.kind == .relationship {
      if !line.isOwnInverse { path += foot(line.start.count, start) }
      path += foot(line.end.count, end)
    }
    let color = line.mark?.colors.stroke ?? DiagramColors.line
    var text = "  <path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\""
    if line.kind == .composite { text += " stroke-dasharray=\"2,3\"" }
    if line.mark == .removed { text += " stroke-dasharray=\"5,3\"" }
    text += "/>"
    guard line.kind == .inheritance else { return text }
    let triangle = "M \(end.ahead(0)) L \(end.ahead(12, -6)) L \(end.ahead(12, 6)) Z"
    return text
      + "\n  <path d=\"\(triangle)\" fill=\"\(DiagramColors.box)\" stroke=\"\(color)\"/>"
  }

  private func joints(of line: ModelDiagram.Line) -> (start: Joint, end: Joint) {
    let (from, to) = (rectangles[line.start.box], rectangles[line.end.box])
    let (startY, endY) = (height(of: line.start), height(of: line.end))
    func joint(_ place: Rectangle, _ y: Double, _ side: Double) -> Joint {
      Joint(x: side > 0 ? place.maxX : place.x, y: y, side: side)
    }
    guard line.start.box != line.end.box else {
      // The ends of a loop must have different heights.
      let isLow = startY == endY
      return (joint(from, isLow ? startY - 6 : startY, 1), joint(to, isLow ? endY + 2 : endY, 1))
    }
    let sides: (Double, Double)
    if to.x >= from.maxX {
      sides = (1, -1)
    } else if from.x >= to.maxX {
      sides = (-1, 1)
    } else {
      // If one box is above the other, both ends are on the side on which the edges of the boxes are closer.
      sides = abs(from.maxX - to.maxX) <= abs(from.x - to.x) ? (1, 1) : (-1, -1)
    }
    return (joint(from, startY, sides.0), joint(to, endY, sides.1))
  }

  /// Returns the crow's foot notation for the number of objects at an end.
  private func foot(_ count: ModelDiagram.Count?, _ joint: Joint) -> String {
    guard let count else { return "" }
    let maximum =
      count.isMany
      ? " M \(joint.ahead(0, -5)) L \(joint.ahead(10)) L \(joint.ahead(0, 5))"
      : " M \(joint.ahead(6, -5)) L \(joint.ahead(6, 5))"
    let circle =
      " M \(joint.ahead(12)) a 3,3 0 1,1 \((joint.side * 6).short),0"
      + " a 3,3 0 1,1 \((joint.side * -6).short),0"
    let bar = " M \(joint.ahead(13, -5)) L \(joint.ahead(13, 5))"
    return maximum + (count.minimum > 0 ? bar : circle)
  }
}

extension String {
  /// The text for XML: markup characters become entities, and characters that aren't allowed in XML or that control a
  /// terminal are replaced by visible ones.
  var markup: String { XMLText.escaped(ControlCharacters.escaped(in: self)) }
}
