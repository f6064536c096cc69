# What both commands of the README need before they can build; sourced, not run.
# Leaves the shell in the repository's root with a Swift toolchain that is new enough.

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

# Swift 6.2 is the tools version of Package.swift; an older one fails there with a message about manifests.
require_swift() {
  local folder version
  if ! command -v swift >/dev/null; then
    # Where the official image, swiftly and hand-unpacked archives put it.
    for folder in "$HOME/.local/share/swiftly/bin" /usr/share/swift/usr/bin /opt/swift/usr/bin; do
      [ -x "$folder/swift" ] && PATH="$folder:$PATH" && break
    done
  fi
  command -v swift >/dev/null || stop "Swift is not installed, or not in PATH" \
    "install 6.2 or later: https://www.swift.org/install" \
    "then run the command again"
  version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
  [ -n "$version" ] || stop "'swift --version' did not answer with a version" \
    "found: $(command -v swift)"
  [ "$(printf '%s\n' 6.2 "$version" | sort -V | head -n 1)" = 6.2 ] ||
    stop "Swift $version is too old: storetool needs 6.2 or later" \
      "found: $(command -v swift)" \
      "install a newer one: https://www.swift.org/install"
}

# On Linux the toolchain lacks SQLite, libxml2, libmd and zlib with their headers and pkg-config files, and git, which
# fetches the packages.
require_libraries() {
  # The SDK contains the libraries.
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

# What Scripts/power-cuts needs besides; false where no process may be traced, as on macOS.
require_tracing() {
  [ "$(uname)" = Linux ] || return 1
  local missing=() tool
  for tool in python3 strace; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  install_packages "on Fedora: dnf install python3 strace" ${missing[@]+"${missing[@]}"}
  strace -f -o /dev/null true 2>/dev/null
}

# What Scripts/test-apple-files needs besides; false where no file system may be mounted, as in most containers.
require_fuse() {
  { : <>/dev/fuse; } 2>/dev/null || return 1
  command -v fusermount3 >/dev/null || install_packages "on Fedora: dnf install fuse3" fuse3
  require_pip
}

# What the tests need besides: the sqlite3 shell, another program with the store open.
require_shell() {
  command -v sqlite3 >/dev/null || install_packages "on Fedora: dnf install sqlite" sqlite3
}

# What puts the example server under load, and looks at its stores.
require_load_tools() {
  local missing=() tool
  for tool in curl sqlite3 wrk; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  install_packages "on Fedora: dnf install curl sqlite wrk" ${missing[@]+"${missing[@]}"}
}

# What downloads packages of PyPI.
require_pip() {
  python3 -m pip --version >/dev/null 2>&1 || install_packages "on Fedora: dnf install python3-pip" python3 python3-pip
}

# What fetches and runs Mermaid's own parser.
require_node() {
  local missing=()
  command -v node >/dev/null || missing+=(nodejs)
  python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  install_packages "on Fedora: dnf install nodejs python3-pip" ${missing[@]+"${missing[@]}"}
}

# The shells whose completion is tried, and what reads the manual and workflows.
require_shells() {
  local missing=() tool
  for tool in fish mandoc python3 zsh; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  # macOS has no package of it. The tests that need it are the same on both systems, and skipped there.
  [ "$(uname)" = Darwin ] || python3 -c 'import yaml' 2>/dev/null || missing+=(python3-yaml)
  install_packages "elsewhere: dnf, brew install fish mandoc python3 zsh; pip install pyyaml" ${missing[@]+"${missing[@]}"}
}

# What makes and judges a Debian package, and reads a formula of Homebrew; elsewhere their tests are skipped.
require_packaging() {
  command -v apt-get >/dev/null || return 0
  local missing=() tool
  command -v ruby >/dev/null || missing+=(ruby)
  command -v objdump >/dev/null || missing+=(binutils)
  command -v lintian >/dev/null || missing+=(lintian)
  install_packages "" ${missing[@]+"${missing[@]}"}
}

# And tmux, a terminal to look at.
require_tmux() {
  command -v tmux >/dev/null || install_packages "elsewhere: dnf, brew install tmux" tmux
}

# Installs packages of Debian and Ubuntu; elsewhere the first argument says how.
install_packages() {
  local otherwise=$1 sudo=
  shift
  [ $# -gt 0 ] || return 0
  command -v apt-get >/dev/null || stop "something is missing: $*" \
    "those are the names of Debian and Ubuntu; install the like with your package manager" \
    "$otherwise"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || stop "installing packages needs root, and sudo is not here" \
      "as root: apt-get update && apt-get install $*"
    sudo=sudo
  fi
  say "Installing $*"
  # CI runs scripts beside each other, and apt-get doesn't wait for another one.
  (
    flock 9
    $sudo apt-get update -qq
    # What is installed already stays at its version.
    $sudo env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-upgrade --no-install-recommends "$@" >&2
  ) 9>"${TMPDIR:-/tmp}/storetool-packages.lock"
}

require_swift
require_libraries
