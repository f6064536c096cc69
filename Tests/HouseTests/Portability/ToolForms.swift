extension ToolForm {
  static let all = missingCommands + otherOptions + otherScripts + otherOutput + newerBash + files

  /// Files and folders that only Linux runs, with the reasons. They may use all forms.
  static let linuxOnly = [
    "Benchmarks/browse": "reads from /proc which memory processes share",
    "Scripts/package-deb": "makes a Debian package",
    "Scripts/power-cuts": "records system calls with strace",
    "Scripts/power_cuts": "records system calls with strace",
    "Scripts/test-apple-sqlite": "replaces a library by LD_LIBRARY_PATH",
    "Scripts/test-container": "installs Debian packages",
    "Tests/BrowserTests": "reads from /proc which processes and sockets a server has",
  ]

  private static let skips = "is skipped where the system doesn't allow it"
  private static let skippedTest = "a test with .enabled(if:)"

  private static let missingCommands: [ToolForm] = [
    .command("nproc", use: "getconf _NPROCESSORS_ONLN"),
    .command("timeout", use: "alarm() in the program, SampleFolder.run in a test"),
    .command("md5sum", use: "cksum"),
    .command("sha1sum", use: "shasum"),
    .command("sha256sum", use: "shasum -a 256"),
    .command("tac", use: "sed -n '1!G;h;$p'"),
    .command("shuf", use: "Python's random"),
    .command("setsid", use: "start_new_session of Python's subprocess"),
    .command(
      "flock", use: "Python's fcntl",
      exceptions: ["Scripts/setup.sh": "the next command is apt-get, which only Linux has"]),
    .command("stdbuf", use: "a program that flushes its output"),
    .command("realpath", use: #"$(cd "$(dirname "$file")" && pwd)"#),
    .command("/usr/bin/time", use: "Benchmarks/measure"),
    .command("ldd", use: "a Linux-only script"),
    .command(
      "strace", use: "a Linux-only script",
      exceptions: ["Scripts/setup.sh": "require_tracing fails on other systems"]),
    .command(
      "unshare", use: skippedTest,
      exceptions: [
        "Tests/CommandTests/FullDiskTests.swift": skips,
        "Tests/CommandTests/ScarceResourceTests.swift": skips,
      ]),
    .command(
      "setpriv", use: skippedTest,
      exceptions: ["Tests/CommandTests/PermissionTests.swift": skips]),
  ]

  /// Options that macOS's tools don't have or interpret differently.
  private static let otherOptions: [ToolForm] =
    [
      .option(
        "sed -i s/a/b/ file", #"-[nEr]*i(?:\s|$)"#,
        because: "the next word is the suffix of a copy",
        use: "sed -i.old s/a/b/ file"),
      .option("sed -r", #"-[in]*r[in]*(?:\s|$)"#, use: "sed -E"),
      .option("sed -z", #"-[inE]*[sz][inE]*(?:\s|$)"#, use: "awk"),
      .option("grep -P", #"-\w*P"#, use: "grep -E"),
      .option(
        "grep -lZ", #"-\w*[Zz]"#, because: "the option is for compressed files",
        use: "find . -exec grep -q a {} \\; -print0"),
      .option("xargs -r", #"-0?r\b"#, use: "xargs"),
      .option("xargs -d ,", #"-d\b"#, use: "xargs -0"),
      .option("stat -c %s", #"-\w*c\b"#, use: "wc -c < file | tr -d ' '"),
      .option("date -d 2001-01-01", #"-\w*d\b"#, use: "Python's datetime"),
      .option(
        "date +%s.%N", #"["']?\+["']?[^"';|&]*%\d?N"#, because: "the output has an N",
        use: "$SECONDS"),
      .option("touch -d 2001-01-01 file", #"-\w*d\b"#, use: "touch -t 200101010000 file"),
      .option("find . -printf %p", "-(?:printf|executable|readable|writable)", use: "-exec, -perm"),
      ToolForm(
        "find -name a", matching: #"\bfind\s+-[a-z]{2}"#, marker: "find -",
        because: "macOS requires a folder", use: "find . -name a"),
      .option("head -n -1", #"-[cn]\s*-\d"#, use: "sed '$d'"),
      .option("base64 -w0", "-w", use: "base64 | tr -d '\\n'"),
      .option("cp -t folder file", #"-\w*[tTu]\b"#, use: "cp file folder"),
      .option("mv -t folder file", #"-\w*[tT]\b"#, use: "mv file folder"),
      .option("ln -sT file link", #"-\w*[tTr]\b"#, use: "ln -sfn file link"),
      .option("install -D file folder/file", #"-\w*[Dt]\b"#, use: "mkdir -p folder"),
      .option("mktemp -p folder", #"-\w*[pt]\b"#, use: "mktemp folder/name.XXXXXX"),
      .option("du -b", #"-\w*b\b"#, use: "du -k"),
      .option("cat -A", #"-\w*[AET]\b"#, use: "cat -vet"),
      .option("dd status=none", "(?:status|[io]flag|conv)=(?!notrunc)", use: "dd 2>/dev/null"),
      .option("truncate -s 0 file", "-s", use: ": > file"),
      .option(
        "script -qc command", #"-\w*c\b"#, because: "the command follows the file",
        use: "python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' command"),
      .option(
        "paste -sd, ", #"-\w\S*\s*(?:[|)]|$)"#, because: "the file is missing", use: "paste -sd, -"),
      .option("echo -e a", "-[nE]*e", because: "sh prints the option", use: "printf"),
      .option(
        "ulimit -v 1000", #"-\w*v"#, use: skippedTest,
        exceptions: ["Tests/CommandTests/ScarceResourceTests.swift": skips]),
    ]
    + [
      "base64", "cat", "chmod", "chown", "cmp", "comm", "cp", "cut", "date", "df", "du",
      "grep", "head", "ln", "ls", "mkdir", "mktemp", "mv", "od", "paste", "ps", "rm", "sed",
      "seq", "sort", "stat", "strip", "tail", "tar", "tee", "touch", "tr", "uniq", "wc",
    ].map { .option("\($0) --long-option", "--[a-z]", use: "an option of one letter") }

  /// Text that sed, grep and awk of macOS interpret differently.
  private static let otherScripts: [ToolForm] = [
    ToolForm(
      #"sed 's/a/\n/'"#,
      matching:
        #"\bsed\s+(?:-\S+\s+)*(?:'[^']*?|"[^"]*?)\bs([/|#,@])(?:(?!\1).)*\1(?:(?!\1).)*\\[nt]"#,
      marker: "sed", because: "macOS writes the letter", use: #"sed $'s/a/\\\n/'"#),
    ToolForm(
      "sed '/a/a text'", matching: #"\bsed\s+(?:-\S+\s+)*['"](?:\d+|\$|/[^/]*/)\s?[aic]\s?[\w<]"#,
      marker: "sed", because: "macOS requires a new line", use: "sed '/a/s/$/text/'"),
    ToolForm(
      #"grep 'a\|b'"#,
      matching: #"\b(?:sed|grep)\s+(?:-(?!\w*[EF])\S+\s+)*"#
        + #"(?:'(?:[^'\\]|\\[^+?|\\])*|"(?:[^"\\]|\\[^+?|\\])*)\\+[+?|]"#,
      marker: "\\", because: "POSIX has no such basic expression", use: "grep -E 'a|b'"),
    ToolForm(
      "awk '{ print gensub(/a/, \"b\", 1) }'",
      matching: #"\bg?awk\b.*\b(?:gensub|strftime|systime|asorti?|mktime)\("#, marker: "awk",
      because: "macOS's awk has no such function", use: "Python"),
  ]

  /// Tools whose output differs.
  private static let otherOutput: [ToolForm] = [
    ToolForm(
      "wc -l", matching: #"\bwc\s+-[clmw]+\b(?![^;&]*\btr -d ' ')"#, marker: "wc -",
      because: "macOS writes blanks before the number", use: "wc -l | tr -d ' '"),
    ToolForm(
      "uniq -c", matching: #"\buniq\s+-\w*c\b(?!.*\bsed 's/\^ \*//')"#, marker: "uniq",
      because: "macOS writes other blanks before the count", use: "uniq -c | sed 's/^ *//'"),
    .option(
      "od -c", #"-(?!.*\btr -d ' \\+n')"#, because: "the blanks between bytes differ",
      use: "cat -v, or od -tx1 | tr -d ' \\n'"),
    .option(
      "ls -s", #"-\w*s"#, because: "macOS counts blocks of 512 bytes",
      use: "wc -c < file | tr -d ' '"),
    .option("seq 1000000", #"\d{7,}"#, because: "the output has 1e+06", use: "awk"),
    ToolForm(
      "! ls: cannot access 'a'", matching: #"^! \w+: cannot "#, marker: ": cannot ",
      because: "messages of macOS's tools differ", use: "test -e a"),
  ]

  /// macOS has bash 3.2.
  private static let newerBash: [ToolForm] = [
    ("${name,,}", #"\$\{\w+(?:,,?|\^\^?|@[A-Za-z])\}"#, "${", "tr '[:upper:]' '[:lower:]'"),
    ("${list[-1]}", #"\$\{\w+\[-\d"#, "[-", "${list[count - 1]}"),
    ("declare -A map", #"\b(?:declare|local|typeset)\s+-\w*[Agn]"#, " -", "awk"),
    ("mapfile", #"(?:^|[;&|({]|\bdo)\s*(?:mapfile|readarray|coproc)\b"#, "", "while read -r"),
    ("$EPOCHREALTIME", #"\$\{?(?:EPOCH(?:REALTIME|SECONDS)|BASHPID|SRANDOM)\b"#, "$", "$SECONDS"),
    ("a |& b", #"\s\|&\s"#, "|&", "2>&1 |"),
    ("a &>> b", "&>>", "&>>", ">> b 2>&1"),
    ("wait -n", #"\bwait\s+-[np]"#, "wait", "wait $process"),
    ("printf '%(%F)T'", #"\bprintf\s+(?:-v \w+ )?['"]?%\("#, "printf", "date +%F"),
    ("shopt -s globstar", #"\bshopt\s+-s\s+(?:globstar|lastpipe)"#, "shopt", "find"),
    ("read -t 0.1", #"\bread\s+(?:-\w+\s+)*-\w*(?:N|t\s*0?\.\d)"#, "read", "read -t 1"),
    (
      "$(case a in a) b ;; esac)", #"\$\([^()]*\bcase\s[^()]*\sin\s+[^(\s]"#, "case",
      "$(case a in (a) b ;; esac)"
    ),
    (#"$'\u00e9'"#, #"\$'[^']*\\u[0-9a-f]"#, "$'", #"$'\xc3\xa9'"#),
  ].map { name, pattern, marker, use in
    ToolForm(name, matching: pattern, marker: marker, because: "macOS's bash is 3.2", use: use)
  }

  private static let files: [ToolForm] = [
    ToolForm(
      "/proc/self", matching: #"(?:^|[^\w.*])/proc\b"#, marker: "/proc",
      because: "macOS has no such folder", use: "ps, /dev/fd or waitid()",
      exceptions: [
        "Sources/storetool/Shared/Processes/ChildProcess.swift": "is compiled for Linux",
        "Sources/storetool/ProcessLimits.swift": "is about Linux",
        "Tests/CommandTests/ScarceResourceTests.swift": skips,
      ]),
    ToolForm(
      "/dev/full", matching: #"/dev/(?:full|shm)\b"#, marker: "/dev/",
      because: "macOS has no such file", use: skippedTest,
      exceptions: ["Tests/CommandTests/FullOutputTests.swift": skips]),
  ]
}
