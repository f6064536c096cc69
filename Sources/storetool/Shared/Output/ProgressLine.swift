import StoreDiagnostics

/// The one line on a terminal that says how far work has come, and goes when the work is done.
enum ProgressLine {
  /// - Parameter parts: what is told, with commas between.
  static func show(_ parts: [String]) {
    var text = ControlCharacters.escaped(in: parts.joined(separator: ", "))
    // A second line would stay when the first one is written anew.
    if let width = Terminal.err.size?.columns { text = DisplayWidth.cut(text, to: width - 1) }
    // Back to the line's start, and clear what a longer line has left.
    Terminal.err.send("\r\(text)\u{1B}[K")
  }

  static func clear() {
    Terminal.err.send("\r\u{1B}[K")
  }

  /// `41%`, and once it can be told, how long the rest takes.
  static func share(_ share: Double, after elapsed: Duration) -> [String] {
    let percent = "\(Int(share * 100))%"
    guard share >= leastShare, share < 1 else { return [percent] }
    return [percent, "\((elapsed.inSeconds * (1 - share) / share).shownAsTime) left"]
  }

  /// With less behind, what is left is a guess.
  private static let leastShare = 0.02
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Double {
  /// `12 s`, `3 min`, `1 h 20 min`
  fileprivate var shownAsTime: String {
    let seconds = Int(rounded(.up))
    guard seconds >= 100 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
