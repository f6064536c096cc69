import Foundation
import TestSupport
import Testing

@testable import storetool

/// The help of the program.
struct HelpTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
  }

  @Test func everyCommandHasAnExample() throws {
    for command in CommandRow.shownNames {
      let help = try samples.expect("storetool \(command) --help")
      let example = "\n  storetool \(command) "
      #expect(
        help.contains(example) || help.contains("| storetool \(command) ")
          || help.contains("\n  storetool \(command)\n"), "\(command) has no example")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScripts(shell: String) throws {
    let script = try samples.expect("storetool --generate-completion-script \(shell)")
    for word in ["apply-template", "batch-insert", "group-by", "no-subentities", "model-version"] {
      #expect(script.contains(word), "\(word) is missing for \(shell)")
    }
    if shell == "bash" {
      try samples.expect("bash -n <(storetool --generate-completion-script bash)")
    }
  }

  @Test(arguments: [
    (["storetool", "fe"], "fetch"), (["storetool", "fetch", "--wh"], "--where"),
    (["storetool", "fetch", "Item", "--format", "nd"], "ndjson"),
    (["storetool", "batch-insert", "Item", "--input", "c"], "csv"),
    (["storetool", "model", "ch"], "check"),
  ])
  func bashCompletes(words: [String], into completion: String) throws {
    let line = words.joined(separator: " ")
    let answer = try samples.expect(
      """
      eval "$(storetool --generate-completion-script bash)"
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); COMP_TYPE=9
      COMP_LINE='\(line)'; COMP_POINT=\(line.count)
      _storetool storetool '\(words[words.count - 1])' '\(words[words.count - 2])'
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(answer == completion + "\n")
  }
}
