"""Tests of the folder with a model's files on a machine with other users."""

import os
import tempfile
from pathlib import Path

import pytest

from storetool_spark.model import Folder

CONTENT = b"<model/>"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The files of a model. They are unpacked below a folder that is writable by all users."""
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    source = tmp_path / "Todo.xcdatamodeld/Todo.xcdatamodel/contents"
    source.parent.mkdir(parents=True)
    source.write_bytes(CONTENT)
    return Folder.read(str(tmp_path / "Todo.xcdatamodeld"))


def expected_home(model: Folder) -> Path:
    return Path(tempfile.gettempdir(), f"storetool-{os.getuid()}-{model.digest}")


def content(unpacked: str) -> bytes:
    return Path(unpacked, "Todo.xcdatamodel/contents").read_bytes()


def test_tasks_share_files(model: Folder) -> None:
    unpacked = Path(model.unpacked())
    assert content(unpacked) == CONTENT
    assert unpacked.parent == expected_home(model)
    assert unpacked.parent.stat().st_mode & 0o777 == 0o700
    assert model.unpacked() == str(unpacked)
    assert list(Path(tempfile.gettempdir()).iterdir()) == [expected_home(model)]


def plant(folder: Path) -> None:
    """Writes other files under the name of the model's folder."""
    planted = folder / "Todo.xcdatamodeld/Todo.xcdatamodel/contents"
    planted.parent.mkdir(parents=True)
    planted.write_bytes(b"<model planted='YES'/>")


def expect_private(model: Folder) -> None:
    unpacked = Path(model.unpacked())
    assert content(unpacked) == CONTENT
    assert unpacked.parent != expected_home(model)
    assert unpacked.parent.stat().st_mode & 0o777 == 0o700
    assert model.unpacked() == str(unpacked), "written once"


def test_ignores_folder_writable_by_others(model: Folder) -> None:
    plant(expected_home(model))
    expected_home(model).chmod(0o777)
    expect_private(model)


def test_link_is_not_followed(model: Folder, tmp_path: Path) -> None:
    plant(tmp_path / "elsewhere")
    expected_home(model).symlink_to(tmp_path / "elsewhere")
    expect_private(model)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the owner of a folder")
def test_ignores_folder_of_another_user(model: Folder) -> None:
    plant(expected_home(model))
    os.chown(expected_home(model), 65534, 65534)
    expect_private(model)
