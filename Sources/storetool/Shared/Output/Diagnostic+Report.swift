import RecordFormats
import StoreDiagnostics

/// Whether what is said on standard error is for a program, an object a line.
enum ReportFormat {
  /// Where the result is asked for in JSON. Looked for among the words, because the parser itself may have
  /// something to say.
  static func isJSON(in words: some Sequence<String>) -> Bool {
    let formats: Set = ["json", "ndjson"]
    var isValue = false
    var command: String?
    for word in words {
      if isValue, formats.contains(word) { return true }
      command = command ?? word
      // Behind it stands the command that each store gets.
      if word == "--", command != CommandName.each { return false }
      isValue = word == "--format"
      if word.hasPrefix("--format="), formats.contains(String(word.dropFirst(9))) { return true }
    }
    return false
  }
}

extension Diagnostic {
  /// The object that a program reads.
  var report: JSONValue {
    var object = FactObject()
    object.add("severity", severity.rawValue)
    object.add("code", code)
    object.add("message", message(in: CommandWording()))
    object.add("file", place?.file)
    object.add("line", place?.line)
    object.add("column", place?.column)
    object.add("help", help.map(CommandWording().sentence))
    object.add("notes", [excerpt?.note].compactMap(\.self))
    object.add("excerpt", excerpt?.report)
    return object.value
  }
}

extension Diagnostic.Excerpt {
  /// Columns count Unicode scalars from 1, as those of places.
  fileprivate var report: JSONValue {
    func scalars(_ bytes: some Collection<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
    let start = min(range.lowerBound, text.utf8.count)
    let end = min(max(range.upperBound, start), text.utf8.count)
    var object = FactObject()
    object.add("text", text)
    object.add("column", scalars(text.utf8.prefix(start)) + 1)
    object.add("length", scalars(text.utf8.prefix(end).dropFirst(start)))
    return object.value
  }
}
