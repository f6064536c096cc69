"""Fixtures: a Spark cluster with two worker processes, and stores to read."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fleet import Fleet
from pyspark.sql import SparkSession

import storetool_spark

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    return Fleet(os.environ["STORETOOL"], HERE / "Models/Kinds.xcdatamodeld")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    work = tmp_path_factory.mktemp("spark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_WORKER_DIR"] = str(work)
    # The interpreter is faster than the optimizing compiler for a few rows.
    os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    # Executors must only use the files that the session sends them.
    os.environ.pop("PYTHONPATH", None)
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.task.maxFailures", "4")
        .config("spark.sql.warehouse.dir", str(work / "warehouse"))
        .getOrCreate()
    )
    storetool_spark.register(session)
    yield session
    session.stop()
