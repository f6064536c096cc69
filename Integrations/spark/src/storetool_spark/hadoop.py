"""Access to Hadoop's file systems from a Python worker, through a separate JVM.

Spark doesn't provide Hadoop's file systems to Python code on executors. A JVM with Spark's jars
supports all of them. Each worker starts one JVM when a store first requires it.
"""

import os
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlparse

from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JJavaError

from .errors import StoretoolError
from .files import Stat

P = ParamSpec("P")
T = TypeVar("T")


@lru_cache(maxsize=1)
def gateway() -> JavaGateway:
    """Starts a JVM that ends with this process."""
    home = os.environ.get("SPARK_HOME") or _home_of_pyspark()
    jars = sorted(str(jar) for jar in Path(home, "jars").glob("*.jar"))
    if not jars:
        raise StoretoolError(
            f"Spark's jars not found in '{home}'", remedy="set SPARK_HOME to the folder of Spark"
        )
    py4j = next(jar for jar in jars if Path(jar).name.startswith("py4j"))
    java = str(Path(os.environ["JAVA_HOME"], "bin/java")) if "JAVA_HOME" in os.environ else "java"
    return _launched(py4j, str(Path(home, "jars", "*")), java)


def _home_of_pyspark() -> str:
    import pyspark

    return str(Path(pyspark.__file__).parent)


def _launched(py4j: str, classpath: str, java: str) -> JavaGateway:
    port, token = launch_gateway(
        jarpath=py4j, classpath=classpath, java_path=java, die_on_exit=True, enable_auth=True
    )
    return JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token))


def translating_errors(operation: Callable[P, T]) -> Callable[P, T]:
    """Converts Java exceptions to errors of this package."""

    @wraps(operation)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return operation(*arguments, **named)
        except Py4JJavaError as error:
            raise StoretoolError(
                str(error.java_exception.getMessage()),
                code="spark.file-system",
                remedy="check the address and the settings that begin with fs.",
            ) from error

    return run


class HadoopFiles:
    """The file system of a URI, with the settings that begin with `fs.`."""

    def __init__(self, uri: str, settings: tuple[tuple[str, str], ...]) -> None:
        self.java = gateway().jvm
        self.configuration = self.java.org.apache.hadoop.conf.Configuration()
        for name, value in settings:
            self.configuration.set(name, value)
        self.system = self._path(uri).getFileSystem(self.configuration)

    @staticmethod
    @lru_cache(maxsize=64)
    def _opened(root: str, settings: tuple[tuple[str, str], ...]) -> "HadoopFiles":
        return translating_errors(HadoopFiles)(root, settings)

    @classmethod
    def of(cls, uri: str, settings: tuple[tuple[str, str], ...]) -> "HadoopFiles":
        parsed = urlparse(uri)
        return cls._opened(f"{parsed.scheme}://{parsed.netloc}/", settings)

    def _path(self, path: str) -> Any:
        return self.java.org.apache.hadoop.fs.Path(path)

    def absolute(self, path: str) -> str:
        return path

    @translating_errors
    def stat(self, path: str) -> Stat | None:
        if not self.system.exists(self._path(path)):
            return None
        facts = self.system.getFileStatus(self._path(path))
        return None if facts.isDirectory() else Stat(facts.getLen(), facts.getModificationTime())

    def below(self, folder: str) -> Iterator[tuple[str, int]]:
        return iter(self._below(folder))

    @translating_errors
    def _below(self, folder: str) -> list[tuple[str, int]]:
        files: list[tuple[str, int]] = []
        if self.system.exists(self._path(folder)):
            found = self.system.listFiles(self._path(folder), True)
            while found.hasNext():
                facts = found.next()
                files.append((facts.getPath().toString(), facts.getLen()))
        return files

    @translating_errors
    def get(self, path: str, local: str) -> None:
        # False keeps the source. True avoids a file with checksums beside the copy.
        self.system.copyToLocalFile(False, self._path(path), self._path(f"file:{local}"), True)

    @translating_errors
    def put(self, local: str, path: str) -> None:
        self.system.copyFromLocalFile(False, True, self._path(f"file:{local}"), self._path(path))

    @translating_errors
    def rename(self, old: str, new: str) -> None:
        options = self.java.org.apache.hadoop.fs.Options.Rename
        overwrite = gateway().new_array(options, 1)
        overwrite[0] = options.OVERWRITE
        context = self.java.org.apache.hadoop.fs.FileContext.getFileContext(
            self.system.getUri(), self.configuration
        )
        context.rename(self._path(old), self._path(new), overwrite)

    @translating_errors
    def remove(self, path: str) -> None:
        self.system.delete(self._path(path), False)
