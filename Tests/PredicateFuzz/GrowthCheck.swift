import Foundation
import StorePredicate

/// Checks whether the time for reading a text is proportional to its length.
///
/// The check measures the processor time of this process, so a busy machine doesn't change the result. The margin is
/// wide: a quadratic parser takes 16 times as long per byte.
enum GrowthCheck {
  private static let factor = 16
  private static let margin = 6.0
  private static let shortLength = 2_048

  /// Returns the cost that grows too fast, or nil.
  static func finding(in text: String) -> String? {
    guard !text.isEmpty else { return nil }
    for joint in [" ", " AND "] {
      var ratio = 0.0
      // The minimum of several measurements is used, because other work can only increase the time.
      for _ in 0..<3 {
        let short = time(of: repeating(text, joint, to: shortLength))
        let long = time(of: repeating(text, joint, to: shortLength * factor))
        ratio = long / max(short, 50e-6) / Double(factor)
        if ratio < margin { break }
      }
      guard ratio < margin else {
        return "repeated with '\(joint)', it takes \(ratio) times as long a byte when there is "
          + "\(factor) times as much of it"
      }
    }
    return nil
  }

  private static func repeating(_ text: String, _ joint: String, to length: Int) -> String {
    let count = max(1, length / (text.utf8.count + joint.utf8.count))
    return Array(repeating: text, count: count).joined(separator: joint)
  }

  /// The seconds for parsing the text, and for printing it or its error.
  private static func time(of text: String) -> Double {
    let start = processorTime()
    do throws(StorePredicate.PredicateSyntaxError) {
      _ = try FormatPredicate(parsing: text).format
    } catch {
      _ = error.diagnostic(in: PredicateText(text))
    }
    return processorTime() - start
  }

  private static func processorTime() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
  }
}
