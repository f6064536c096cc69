/// A line of a skeleton, with what it is for.
struct SkeletonLine {
  var why: String
  /// Nil where there is nothing to write.
  var xml: String?
  /// Without it rows can't be migrated; the others are choices and so comments.
  var isNeeded = false
  /// It stands within the element of its entity.
  var isInsideEntity = true
}

/// Puts the lines of a skeleton together.
struct SkeletonWriter {
  private var lines: [String]

  init(from: String, to: String) {
    lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<!-- \(Self.inComment("How a store of '\(from)' becomes one of '\(to)'. What is not mentioned is inferred.")) -->",
      "<migration \(xml: ["from": from, "to": to])>",
    ]
  }

  var finished: String { (lines + ["</migration>"]).map { $0 + "\n" }.joined() }

  /// The element of an entity with its lines. One that holds choices alone changes nothing.
  mutating func write(_ entity: String, _ entries: [SkeletonLine]) {
    let inside = entries.filter(\.isInsideEntity)
    if !inside.isEmpty {
      lines.append("  <entity \(xml: ["name": entity])>")
      for line in inside { write(line, depth: 2) }
      lines.append("  </entity>")
    }
    for line in entries where !line.isInsideEntity { write(line, depth: 1) }
  }

  mutating func write(_ line: SkeletonLine, depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    lines.append("\(indent)<!-- \(Self.inComment(line.why)) -->")
    guard let xml = line.xml else { return }
    lines.append(line.isNeeded ? "\(indent)\(xml)" : "\(indent)<!-- \(Self.inComment(xml)) -->")
  }

  /// Two hyphens would end the comment.
  private static func inComment(_ text: String) -> String {
    var result = ""
    for character in text {
      if character == "-", result.last == "-" { result.append(" ") }
      result.append(character)
    }
    return result
  }
}

extension DefaultStringInterpolation {
  /// Attributes of an element: `name="Item" default="&lt;none&gt;"`.
  mutating func appendInterpolation(xml attributes: KeyValuePairs<String, String>) {
    appendInterpolation(
      attributes.map { name, value in
        let escaped = value.map { character in
          switch character {
          case "&": "&amp;"
          case "<": "&lt;"
          case "\"": "&quot;"
          default: String(character)
          }
        }
        return "\(name)=\"\(escaped.joined())\""
      }.joined(separator: " "))
  }
}
