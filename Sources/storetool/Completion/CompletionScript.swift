import ArgumentParser
import RecordFormats

/// Extends the parser's completion script so that it completes parts of words, such as key paths in a predicate.
enum CompletionScript {
  /// The option that requests the script.
  static let option = "--generate-completion-script"

  /// Returns the extended script. If the arguments don't request a script, the text is returned unchanged.
  ///
  /// - Parameters:
  ///   - script: The output of the parser.
  ///   - words: The arguments of the process.
  static func completed(_ script: String, for words: ArraySlice<String>) -> String {
    guard words.contains(where: { $0.hasPrefix(option) }) else { return script }
    if script.hasPrefix("#compdef") { return completedForZsh(script) }
    return script + (script.hasPrefix("#!/bin/bash") ? bash : fish)
  }

  private static func completedForZsh(_ script: String) -> String {
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false)
      .map { takingEqualsSign(String($0)) }
    // On the first completion, zsh runs the whole file, whose last lines compute the completions. The additions must
    // precede these lines.
    let end = lines.lastIndex { $0.hasPrefix("if [[ ") } ?? lines.endIndex
    lines.insert(zsh, at: end)
    return lines.joined(separator: "\n")
  }

  /// Returns `--store=[…]:path:…` for `--store[…]:path:…`. The original line doesn't complete a value after `--store=`.
  private static func takingEqualsSign(_ line: String) -> String {
    let specification = line.drop { $0 == " " }
    let isOption = ["'--", "'*--"].contains(where: specification.hasPrefix)
    guard isOption, !line.hasSuffix("]'"), let bracket = line.firstIndex(of: "[") else {
      return line
    }
    return "\(line[..<bracket])=\(line[bracket...])"
  }

  /// Overrides functions of the parser's script.
  ///
  /// The parser's functions let bash expand completions, which would run a `$(…)` in a name in a model. They use the
  /// words of readline, which are split at '=' and ':'. They also append a space to each word.
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

  /// Passes the typed word in a variable, because fish before version 4 removes quotation marks from the arguments.
  private static let fish = """


    functions --query __storetool_words; and functions --erase __storetool_words
    functions --copy __storetool_custom_completion __storetool_words
    function __storetool_custom_completion
        set -lx STORETOOL_TYPED (commandline -ct)
        __storetool_words $argv
    end
    """

  /// Overrides the parser's function, which appends a space to each word, even if the user can continue the word.
  private static let zsh = #"""
    __storetool_complete() {
        local -a open closed
        open=("${(@M)@:#*[=./\(](|:*)}")
        closed=("${(@)@:#*[=./\(](|:*)}")
        _describe -V '' closed -- open -S ''
    }

    """#
}

/// A request of a shell for completions at the cursor.
enum CompletionRequest {
  /// The first argument of each request by the parser's scripts.
  private static let mark = "---completion"

  /// Answers a request and ends the process. If the arguments aren't a request, this function returns.
  ///
  /// - Parameter words: The arguments of the process.
  static func answer(_ words: [String]) {
    guard words.first == mark else { return }
    // Messages would disturb the user's line.
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
