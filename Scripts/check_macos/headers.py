"""Darwin's C headers, from the package ziglang of PyPI."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from swift import CheckError, warn

VERSION = "0.17.1"
FOLDER = "ziglang/lib/libc/include/any-darwin-any/"


def headers(cache):
    """Returns the folder of the headers. They are downloaded once: 100 MB, of which 8 MB are kept."""
    folder = os.path.join(cache, f"darwin-headers-{VERSION}")
    if os.path.isdir(folder):
        return folder
    warn(f"Downloading Darwin's headers (ziglang {VERSION} from PyPI) to {folder}")
    os.makedirs(cache, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        result = subprocess.run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                "--only-binary", ":all:", "--dest", scratch, f"ziglang=={VERSION}",
            ],
            capture_output=True, text=True,
        )
        if result.returncode != 0:
            raise CheckError(f"ziglang {VERSION} can't be downloaded from PyPI:\n{result.stderr[-2000:]}")
        extracted = os.path.join(scratch, "headers")
        with zipfile.ZipFile(glob.glob(os.path.join(scratch, "*.whl"))[0]) as wheel:
            for name in wheel.namelist():
                if name.startswith(FOLDER) and not name.endswith("/"):
                    path = os.path.join(extracted, name[len(FOLDER):])
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with wheel.open(name) as source, open(path, "wb") as target:
                        shutil.copyfileobj(source, target)
        if not os.path.isdir(extracted):
            raise CheckError(f"ziglang {VERSION} doesn't contain {FOLDER}")
        os.replace(extracted, folder)
    return folder
