"""The wheel holds all that netaudit reads at run time, works away from the checkout, and `--help` is quick."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from netaudit import resources

REPOSITORY = Path(__file__).resolve().parents[1]
# What the command line may not load before it knows what is asked: each costs from 30 to 300 ms.
HEAVY = (
    "asyncssh",
    "cryptography",
    "google.protobuf",
    "grpc",
    "jinja2",
    "networkx",
    "nornir",
    "numpy",
    "orjson",
    "paramiko",
    "pydantic",
    "sqlite3",
    "yaml",
)


def python(*arguments: str, path: Path | None = None, folder: Path | None = None) -> str:
    """Run this Python with `path` before all else; return what it printed."""
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    done = subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder)]
    python("-m", "pip", "wheel", *options, str(REPOSITORY))
    (built,) = folder.glob("netaudit-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, far from the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel))
    return folder


def files(folder: Path) -> set[str]:
    found = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return {file.as_posix() for file in found if "__pycache__" not in file.parts and not file.name.startswith(".")}


def test_the_wheel_has_every_file_of_the_package_the_templates_and_the_examples(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"netaudit/{name}" for name in files(REPOSITORY / "netaudit")}
    wanted |= {f"netaudit/_templates/{name}" for name in files(REPOSITORY / "templates")}
    wanted |= {f"netaudit/_examples/{name}" for name in files(REPOSITORY / "intent")}
    assert wanted <= held, f"not in the wheel: {sorted(wanted - held)}"
    assert "netaudit/py.typed" in held


def test_the_wheel_has_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"netaudit", f"netaudit-{wheel.name.split('-')[1]}.dist-info"}


def test_the_installed_package_finds_its_own_templates_and_examples(installed: Path, tmp_path: Path) -> None:
    code = "from netaudit import resources; print(resources.template_dir(), resources.example_dir())"
    templates, examples = python("-c", code, path=installed, folder=tmp_path).split()
    assert (Path(templates), Path(examples)) == (installed / "netaudit/_templates", installed / "netaudit/_examples")
    assert files(Path(templates)) == files(REPOSITORY / "templates")
    assert files(Path(examples)) == files(REPOSITORY / "intent")


def test_a_checkout_uses_its_own_templates_and_examples() -> None:
    assert resources.template_dir() == REPOSITORY / "templates"
    assert resources.example_dir() == REPOSITORY / "intent"


def test_an_installation_without_templates_says_what_to_do(tmp_path: Path) -> None:
    """A folder `templates` beside the package in site-packages is somebody else's."""
    package = tmp_path / "netaudit"
    package.mkdir()
    (tmp_path / "templates").mkdir()
    for name in ("__init__.py", "diag.py", "resources.py"):
        shutil.copy(REPOSITORY / "netaudit" / name, package)
    code = (
        "from netaudit import diag, resources\n"
        "try: print(resources.template_dir())\n"
        "except diag.Unusable as stopped: print(stopped.message, stopped.hint)"
    )
    said = python("-c", code, path=tmp_path, folder=tmp_path)
    assert "lacks its templates" in said
    assert "pip install" in said


def test_every_module_of_the_installed_package_imports(installed: Path, tmp_path: Path) -> None:
    names = sorted(name.removesuffix(".py").replace("/", ".") for name in files(installed) if name.endswith(".py"))
    # A __main__ is a program: importing it runs it.
    modules = [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]
    assert len(modules) > 20
    code = f"import importlib, netaudit\nfor name in {modules}: importlib.import_module(name)\nprint(netaudit.__file__)"
    assert python("-W", "error", "-c", code, path=installed, folder=tmp_path).strip().startswith(str(installed))


def test_what_pyproject_promises_to_start_is_there(installed: Path, tmp_path: Path) -> None:
    """Console scripts and plugin entry points name things that exist."""
    (metadata,) = installed.glob("netaudit-*.dist-info")
    points = configparser.ConfigParser(delimiters=("=",))
    points.read(metadata / "entry_points.txt")
    targets = [target for section in points.sections() for target in points[section].values()]
    assert len(targets) > 2
    code = "import sys, pkgutil\nfor target in sys.argv[1:]: assert callable(pkgutil.resolve_name(target)), target"
    python("-c", code, *targets, path=installed, folder=tmp_path)


def test_the_version_stands_once(installed: Path, tmp_path: Path) -> None:
    stated = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (
        python("-c", "import netaudit; print(netaudit.__version__)", path=installed, folder=tmp_path).strip() == stated
    )
    assert f"\n## [{stated}]" in (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")


def test_help_loads_none_of_the_heavy_libraries(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys, netaudit.cli\n"
        "sys.argv = ['netaudit', '--help']\n"
        "try: netaudit.cli.main()\n"
        "except SystemExit as done: assert not done.code, done.code\n"
        f"print('loaded:', *[name for name in {HEAVY} if name in sys.modules])"
    )
    *said, loaded = python("-c", code, path=installed, folder=tmp_path).splitlines()
    assert loaded == "loaded:"
    assert any("Usage" in line for line in said)


def test_every_pinned_version_is_one_that_pyproject_allows() -> None:
    """The lock holds each direct dependency, so that a release made tomorrow changes no test run."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = (REPOSITORY / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
    pinned = {normal(line.split("==")[0]) for line in lock if "==" in line}
    direct = project["dependencies"] + project["optional-dependencies"]["dev"]
    missing = {name for line in direct if (name := normal(line.partition(";")[0])) not in pinned}
    assert not missing, f"run `make lock`: {sorted(missing)}"


def normal(requirement: str) -> str:
    """Return the name of a requirement as PEP 503 spells it."""
    name = requirement.strip()
    for mark in "<>=!~[ ":
        name = name.partition(mark)[0]
    return name.lower().replace("_", "-").replace(".", "-")
