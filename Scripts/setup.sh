# Prepares builds. Other scripts source this file.
# Installs missing packages, changes to the repository's root, and checks the version of Swift.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '==> %s\n' "$*" >&2; }
stop() {
  printf 'error: %s\n' "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

# Checks that Swift is at least 6.2, the tools version of Package.swift. An older Swift would fail with a message about
# manifests.
require_swift() {
  local folder version
  if ! command -v swift >/dev/null; then
    # The folders of the official image, of swiftly and of manual installations.
    for folder in "$HOME/.local/share/swiftly/bin" /usr/share/swift/usr/bin /opt/swift/usr/bin; do
      [ -x "$folder/swift" ] && PATH="$folder:$PATH" && break
    done
  fi
  command -v swift >/dev/null || stop "Swift is not installed, or not in PATH" \
    "install Swift 6.2 or later: https://www.swift.org/install" \
    "then run the command again"
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
  [ -n "$version" ] || stop "'swift --version' didn't print a version" \
    "found: $(command -v swift)"
  [ "$(printf '%s\n' 6.2 "$version" | sort -V | head -n 1)" = 6.2 ] ||
    stop "Swift $version is too old: storetool requires 6.2 or later" \
      "found: $(command -v swift)" \
      "install a newer version: https://www.swift.org/install"
}

# Installs what the toolchain for Linux doesn't contain: SQLite, libxml2, libmd and zlib with their headers and
# pkg-config files, and git, which downloads the packages.
require_libraries() {
  # The SDK of macOS contains the libraries.
  [ "$(uname)" != Darwin ] || return 0
  local missing=()
  command -v git >/dev/null || missing+=(git)
  [ -e /etc/ssl/certs/ca-certificates.crt ] || [ -d /etc/pki ] || missing+=(ca-certificates)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  pkg-config --exists sqlite3 2>/dev/null || missing+=(libsqlite3-dev)
  pkg-config --exists libxml-2.0 2>/dev/null || missing+=(libxml2-dev)
  pkg-config --exists libmd 2>/dev/null || missing+=(libmd-dev)
  pkg-config --exists zlib 2>/dev/null || missing+=(zlib1g-dev)
  install_packages "on Fedora: dnf install git pkgconf sqlite-devel libxml2-devel libmd-devel zlib-devel" ${missing[@]+"${missing[@]}"}
}

# Installs the programs for Scripts/power-cuts. Fails if processes can't be traced, as on macOS.
require_tracing() {
  [ "$(uname)" = Linux ] || return 1
  local missing=() tool
  for tool in python3 strace; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  install_packages "on Fedora: dnf install python3 strace" ${missing[@]+"${missing[@]}"}
  strace -f -o /dev/null true 2>/dev/null
}

# Installs the programs for Scripts/test-apple-files. Fails if file systems can't be mounted, as in most containers.
require_fuse() {
  { : <>/dev/fuse; } 2>/dev/null || return 1
  command -v fusermount3 >/dev/null || install_packages "on Fedora: dnf install fuse3" fuse3
  require_pip
}

# Installs the sqlite3 shell, which tests use as another program that has a store open.
require_shell() {
  command -v sqlite3 >/dev/null || install_packages "on Fedora: dnf install sqlite" sqlite3
}

# Installs the programs that put the example server under load and read its stores.
require_load_tools() {
  local missing=() tool
  for tool in curl sqlite3 wrk; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  install_packages "on Fedora: dnf install curl sqlite wrk" ${missing[@]+"${missing[@]}"}
}

# Installs pip, which downloads packages from PyPI.
require_pip() {
  python3 -m pip --version >/dev/null 2>&1 || install_packages "on Fedora: dnf install python3-pip" python3 python3-pip
}

# Installs the programs that download and run Mermaid's parser.
require_node() {
  local missing=()
  command -v node >/dev/null || missing+=(nodejs)
  python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  install_packages "on Fedora: dnf install nodejs python3-pip" ${missing[@]+"${missing[@]}"}
}

# Installs the shells for tests of completions, and the programs that read the manual and workflows.
require_shells() {
  local missing=() tool
  for tool in fish mandoc python3 zsh; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  # macOS doesn't have a package of PyYAML. The tests that require it are skipped there, and run on Linux.
  [ "$(uname)" = Darwin ] || python3 -c 'import yaml' 2>/dev/null || missing+=(python3-yaml)
  install_packages "elsewhere: dnf, brew install fish mandoc python3 zsh; pip install pyyaml" ${missing[@]+"${missing[@]}"}
}

# Installs the programs that build and check a Debian package, and read a formula of Homebrew. On other systems, these
# tests are skipped.
require_packaging() {
  command -v apt-get >/dev/null || return 0
  local missing=() tool
  command -v ruby >/dev/null || missing+=(ruby)
  command -v objdump >/dev/null || missing+=(binutils)
  command -v lintian >/dev/null || missing+=(lintian)
  install_packages "" ${missing[@]+"${missing[@]}"}
}

# Installs tmux, which captures the screen of a terminal.
require_tmux() {
  command -v tmux >/dev/null || install_packages "elsewhere: dnf, brew install tmux" tmux
}

# Prints the lines about failed tests in the output of Swift Testing.
failed_tests() { grep -aE '^. (Test .* (recorded an issue|failed)|Suite .* failed)' "$1" || true; }

# Installs packages on Debian and Ubuntu. On other systems, prints the first argument, which is an instruction.
install_packages() {
  local otherwise=$1 sudo=
  shift
  [ $# -gt 0 ] || return 0
  command -v apt-get >/dev/null || stop "missing packages: $*" \
    "these are names of Debian and Ubuntu packages; install the corresponding packages of your system" \
    "$otherwise"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || stop "installing packages requires root, and sudo is not installed" \
      "as root: apt-get update && apt-get install $*"
    sudo=sudo
  fi
  say "Installing $*"
  # CI runs scripts in parallel, and apt-get doesn't wait for another apt-get.
  (
    flock 9
    $sudo apt-get update -qq
    # Installed packages keep their versions.
    $sudo env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-upgrade --no-install-recommends "$@" >&2
  ) 9>"${TMPDIR:-/tmp}/storetool-packages.lock"
}

require_swift
require_libraries

# SwiftPM plans a build again after any change of the environment, such as of SHLVL in a script that another script
# runs. It passes the package's traits in the order of a set. In another order, it compiles all targets again. Without
# random numbers, the order is always the same.
swift() { SWIFT_DETERMINISTIC_HASHING=1 command swift "$@"; }
