"""Builds the wheel of one platform, with the native module payspec/_native.

PAYSPEC_WHEEL_PLATFORM is its tag; the release sets it and adds the module. Otherwise cargo builds it: in an sdist from the
folder rust, in the repository from the workspace.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
BUILT, FILE = {
    "darwin": ("libpayspec_native.dylib", "_native.abi3.so"),
    "win32": ("payspec_native.dll", "_native.pyd"),
}.get(sys.platform, ("libpayspec_native.so", "_native.abi3.so"))
SOURCES = HERE / "rust" if (HERE / "rust").exists() else HERE.parents[1]
IS_RELEASE = "PAYSPEC_WHEEL_PLATFORM" in os.environ


class BinaryDistribution(Distribution):
    """A distribution with a native module is not pure Python."""

    def has_ext_modules(self) -> bool:
        return True


class BuildPackage(build_py):
    """Adds the native module."""

    def run(self) -> None:
        super().run()
        if IS_RELEASE:
            return
        if shutil.which("cargo") is None:
            sys.exit("payspec has no wheel for this platform: to build it, install Rust (https://rustup.rs)")
        command = ["cargo", "build", "--locked", "--release", "--package", "payspec-python"]
        subprocess.run(command, cwd=SOURCES, check=True)
        target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
        shutil.copy(SOURCES / target / "release" / BUILT, Path(self.build_lib) / "payspec" / FILE)


class PlatformWheel(bdist_wheel):
    """Tags the wheel: the stable ABI of Python 3.11, one platform."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "cp311", "abi3", os.environ.get("PAYSPEC_WHEEL_PLATFORM", platform)


setup(distclass=BinaryDistribution, cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel})
