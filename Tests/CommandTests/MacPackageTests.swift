import Foundation
import TestSupport
import Testing

/// `Scripts/package-macos` and the universal build, with scripts in place of Xcode's tools. Each script records its
/// arguments in `log`.
struct MacPackageTests {
  private static let hasPython = SampleFolder.canRun("command -v python3 && command -v openssl")
  private static let scripts = BuiltCommand.repository.appending(path: "Scripts").path
  private static let program = BuiltCommand.folder.appending(path: "storetool").path

  private let samples: SampleFolder

  private static let tools = [
    "codesign": """
    case $* in
      --verify*) exec grep -q '^codesign --force' "$LOG" ;;
    esac
    """,
    "lipo": """
    case $1 in
      -archs) echo 'x86_64 arm64' ;;
      -create) shift 2; out=$1; shift; cat "$@" > "$out" ;;
    esac
    """,
    // Simulates a Mac without Rosetta.
    "arch": #"[ "$1" = -arm64 ] && shift && exec "$@""#,
    "ditto": #"cp "$3" "$4""#,
    "security": """
    case $1 in
      create-keychain) echo keychain > "$4" ;;
      import) grep -qx certificate "$2" && [ "$6" = 'its password' ] ;;
      find-identity)
        printf '  1) %040d "Developer ID Application: Ann (TEAM)"\\n     1 valid identities found\\n' 7 ;;
      list-keychains) [ "$4" = -s ] || echo '    "/Users/ann/my login.keychain-db"' ;;
      delete-keychain) rm "$2" ;;
    esac
    """,
    "xcrun": """
    case $2 in
      submit)
        grep -qx 'private key' "$5" && [ -s "$3" ] || exit 1
        printf '{"id": "5-6-7", "status": "%s", "message": "Processing complete"}' "$STATUS" ;;
      log) echo 'the signature has no timestamp' ;;
    esac
    """,
  ]

  init() throws {
    samples = try SampleFolder()
    for (name, lines) in Self.tools {
      try samples.folder.write(
        "#!/bin/bash\nset -e\nprintf '%s\\n' \"\(name) $*\" >> \"$LOG\"\n\(lines)\n",
        to: "bin/\(name)")
    }
    try samples.expect("chmod +x bin/*; : > log")
  }

  private func package(_ variables: String = "") throws -> BuiltCommand.Result {
    try samples.shell.run(
      """
      export LOG=$PWD/log PATH="$PWD/bin:$PATH" TMPDIR=$PWD/temporary; mkdir -p temporary
      [ -e program ] || strip -o program '\(Self.program)'
      \(variables) '\(Self.scripts)/package-macos' --binary "$PWD/program" --output packages
      """)
  }

  private static let secrets = """
    MACOS_CERTIFICATE=$(echo certificate | base64) MACOS_CERTIFICATE_PASSWORD='its password' \
    NOTARY_KEY=$(echo 'private key' | base64) NOTARY_KEY_ID=K1 NOTARY_ISSUER_ID=I2
    """

  /// Returns the calls, without the path of the script's temporary folder.
  private func calls() throws -> [String] {
    try samples.expect("sed 's|[^ ]*/storetool-macos[^/]*/||g' log").split(separator: "\n")
      .map(String.init)
  }

  @Test(
    "without secrets the signature is ad hoc", .enabled(if: hasPython, "python3 isn't installed"))
  func adHoc() throws {
    let outcome = try package()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "packages/storetool-macos-universal.tar.gz\n")
    #expect(
      try calls() == [
        "codesign --force --sign - storetool", "codesign --verify --strict storetool",
        "lipo -archs storetool", "arch -x86_64 /usr/bin/true", "arch -arm64 /usr/bin/true",
        "arch -arm64 storetool --version", "lipo -archs storetool",
      ])
    let warnings = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
    #expect(warnings.count == 3)
    #expect(warnings.first?.contains("MACOS_CERTIFICATE is not set") == true)
    #expect(warnings.last?.contains("x86_64") == true)
    try samples.expect(
      """
      set -e; tar -xzf packages/*.tar.gz
      test "$(storetool/bin/storetool --version)" = "$(storetool --version)"
      test -s storetool/share/man/man1/storetool-fetch.1 && test -z "$(ls temporary)"
      """)
    #expect(try package("GITHUB_ACTIONS=true").errors.contains("\n::warning::"))
  }

  @Test(
    "with secrets the program is signed and notarized",
    .enabled(if: hasPython, "python3 or openssl isn't installed"))
  func signed() throws {
    let outcome = try package("STATUS=Accepted \(Self.secrets)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let identity = "0000000000000000000000000000000000000007"
    let password = #/ (-p|-k) [0-9a-f]{32}\b/#
    let keychain = "signing.keychain-db"
    #expect(
      try calls().prefix(13).map { $0.replacing(password) { " \($0.output.1) PASSWORD" } } == [
        "security create-keychain -p PASSWORD \(keychain)",
        "security set-keychain-settings \(keychain)",
        "security unlock-keychain -p PASSWORD \(keychain)",
        "security import certificate.p12 -k \(keychain) -P its password -T /usr/bin/codesign",
        "security set-key-partition-list -S apple-tool:,apple: -s -k PASSWORD \(keychain)",
        "security find-identity -v -p codesigning \(keychain)",
        "security list-keychains -d user",
        "security list-keychains -d user -s \(keychain) /Users/ann/my login.keychain-db",
        "codesign --force --options runtime --timestamp --keychain \(keychain) --sign \(identity) storetool",
        "codesign --verify --strict storetool", "ditto -c -k storetool storetool.zip",
        "xcrun notarytool submit storetool.zip --key key.p8 --key-id K1 --issuer I2 --wait --output-format json",
        "lipo -archs storetool",
      ])
    #expect(try calls().last == "security delete-keychain \(keychain)")
    #expect(!outcome.errors.contains("not set"))
    #expect(
      try samples.expect("ls temporary packages")
        == "packages:\nstoretool-macos-universal.tar.gz\n\ntemporary:\n")
  }

  @Test(
    "a program that isn't signed, or that Apple refuses, isn't packed",
    .enabled(if: hasPython, "python3 or openssl isn't installed"),
    arguments: [
      (
        "STATUS=Invalid \(secrets)",
        "the signature has no timestamp\nerror: Apple didn't notarize the program: Invalid\n"
      ),
      ("\(secrets) MACOS_CERTIFICATE_PASSWORD=wrong", ""),
      ("\(secrets) NOTARY_KEY=\"$(echo other | base64)\"", ""),
      ("PATH=\"$PWD/broken:$PATH\"", ""),
    ])
  func refused(variables: String, errors: String) throws {
    try samples.expect(
      "mkdir broken; printf '#!/bin/sh\\nexit 1\\n' > broken/codesign; chmod +x broken/codesign")
    let outcome = try package(variables)
    #expect(outcome.status != 0)
    #expect(outcome.errors.hasSuffix(errors), "\(outcome.errors)")
    #expect(try samples.expect("ls temporary; test ! -e packages") == "")
    let created = try calls().contains { $0.hasPrefix("security create-keychain") }
    #expect(try (calls().last?.hasPrefix("security delete-keychain") ?? false) == created)
  }

  /// A script in place of `swift` writes the architecture as the program.
  @Test("a build for several architectures is one for each, joined", arguments: [0, 1])
  func universal(status: Int) throws {
    try samples.folder.write(
      """
      #!/bin/bash
      case $* in
        --version) echo 'Apple Swift version 6.2' ;;
        *--show-bin-path) [[ $* =~ --arch\\ ([a-z0-9_]+) ]]; echo "$PACKAGE/.build/${BASH_REMATCH[1]}-apple-macosx/release" ;;
        build*)
          folder=$PACKAGE/.build/${*: -1}-apple-macosx/release
          mkdir -p "$folder" && echo "${*: -1}" > "$folder/storetool"
          [ "${*: -1}" != x86_64 ] || exit \(status) ;;
      esac
      """, to: "bin/swift")
    try samples.folder.write("#!/bin/sh\necho Darwin\n", to: "bin/uname")
    let outcome = try samples.shell.run(
      """
      chmod +x bin/*; export LOG=$PWD/log PATH="$PWD/bin:$PATH" PACKAGE=$PWD
      ARCHITECTURES='arm64 x86_64' '\(Self.scripts)/release'
      """)
    #expect(outcome.status == Int32(status), "\(outcome.errors)")
    guard status == 0 else { return #expect(outcome.output == "") }
    #expect(outcome.output == "\(samples.folder.path(".build/universal/storetool"))\n")
    #expect(try samples.expect("cat .build/universal/storetool") == "arm64\nx86_64\n")
  }
}
