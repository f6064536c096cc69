import ArgumentParser
import RecordFormats

/// The script that makes a shell complete our words: the parser's, with what it leaves out for names of models.
enum CompletionScript {
  /// The option that asks for it.
  static let option = "--generate-completion-script"

  /// - Parameter script: as the parser writes it.
  static func completed(_ script: String, for words: ArraySlice<String>) -> String {
    guard words.contains(where: { $0.hasPrefix(option) }) else { return script }
    if script.hasPrefix("#compdef") { return completedForZsh(script) }
    return script + (script.hasPrefix("#!/bin/bash") ? bash : fish)
  }

  private static func completedForZsh(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false)
      .map { takingEqualsSign(String($0)) }
    // An autoloaded file is run to its end by the first call: what is behind the last lines comes too late.
    let end = lines.lastIndex { $0.hasPrefix("if [[ ") } ?? lines.endIndex
    lines.insert(zsh, at: end)
    return lines.joined(separator: "\n")
  }

  /// `--store[…]:path:…` is only completed with its value as the next word, `--store=[…]:path:…` also behind '='.
  private static func takingEqualsSign(_ line: String) -> String {
    let specification = line.drop { $0 == " " }
    let isOption = ["'--", "'*--"].contains(where: specification.hasPrefix)
    guard isOption, !line.hasSuffix("]'"), let bracket = line.firstIndex(of: "[") else {
      return line
    }
    return "\(line[..<bracket])=\(line[bracket...])"
  }

  /// The parser's functions let bash expand what they are given, so that `$(…)` in a model would be run; they take words
  /// as readline breaks them, at '=' and ':'; and they end every word with a blank.
  private static let bash = #"""

    __storetool_add_completions() {
        local completion
        if [[ "${1}" != -W ]]; then
            while IFS='' read -r completion; do
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
            return
        fi
        compopt +o filenames 2>/dev/null
        while IFS='' read -r completion; do
            [[ -n "${completion}" && "${completion}" = "${cur}"* ]] || continue
            COMPREPLY+=("${completion}")
            [[ "${completion}" = *[=./\(] ]] && compopt -o nospace 2>/dev/null
        done <<<"${2}"
    }

    __storetool_whole_words() {
        local -a words=()
        local rest="${COMP_LINE}" word gap
        local -i index current=0
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            gap="${rest%%[![:space:]]*}"
            rest="${rest#"${gap}"}"
            rest="${rest#"${word}"}"
            if [[ "${index}" -gt 0 && -z "${gap}" ]]; then
                words[${#words[@]}-1]+="${word}"
            else
                words+=("${word}")
            fi
            if [[ "${index}" -eq "${COMP_CWORD}" ]]; then
                word="${words[${#words[@]}-1]}"
                if [[ "${word}" = --*=* ]]; then
                    words[${#words[@]}-1]="${word%%=*}"
                    words+=("${word#*=}")
                fi
                current=$((${#words[@]} - 1))
            fi
        done
        COMP_WORDS=("${words[@]}")
        COMP_CWORD="${current}"
    }

    __storetool_whole_word() {
        local -x STORETOOL_TYPED="${2}"
        __storetool_whole_words
        _storetool "${1}" "${2}" "${COMP_WORDS[COMP_CWORD > 0 ? COMP_CWORD - 1 : 0]}"
    }

    complete -o filenames -F __storetool_whole_word storetool
    """#

  /// Before version 4 fish hands words over without their quotation marks.
  private static let fish = """


    functions --query __storetool_words; and functions --erase __storetool_words
    functions --copy __storetool_custom_completion __storetool_words
    function __storetool_custom_completion
        set -lx STORETOOL_TYPED (commandline -ct)
        __storetool_words $argv
    end
    """

  /// The parser's function ends every word with a blank.
  private static let zsh = #"""
    __storetool_complete() {
        local -a open closed
        open=("${(@M)@:#*[=./\(](|:*)}")
        closed=("${(@)@:#*[=./\(](|:*)}")
        _describe -V '' closed -- open -S ''
    }

    """#
}

/// A shell asks for the words that may stand at the cursor.
enum CompletionRequest {
  /// The word of the parser's scripts that a request begins with.
  private static let mark = "---completion"

  /// Answers a request and ends the process; returns where the words are none.
  ///
  /// - Parameter words: of the command line.
  static func answer(_ words: [String]) {
    guard words.first == mark else { return }
    // The line of the user is no place for a message, nor for a wait.
    Terminal.silenceErrors()
    Signals.leave(after: 3)
    do {
      _ = try Storetool.parseAsRoot(words)
    } catch {
      guard Storetool.exitCode(for: error) == .success else { Terminal.exit(.done) }
      do {
        try OutputFile.standard.write(Storetool.fullMessage(for: error) + "\n")
      } catch {
        FailedCommand(error).leave()
      }
    }
    Terminal.exit(.done)
  }
}
