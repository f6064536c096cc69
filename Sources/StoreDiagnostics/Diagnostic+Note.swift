extension Diagnostic {
  /// What is said all the same where it stops nothing.
  ///
  /// - Parameter prefix: what the message is about, here.
  package func asNote(_ prefix: String? = nil) -> Diagnostic {
    var note = self
    note.severity = .note
    if let prefix { note.message = "\(prefix): \(message)" }
    return note
  }
}
