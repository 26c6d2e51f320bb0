"""Builds the wheel of one platform, with the library in payspec/_native.

PAYSPEC_WHEEL_PLATFORM is its tag; the release sets it. In an sdist, cargo builds the library from the folder rust. In the
repository, the wheel contains no library, and the package uses an installed one.
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
FILE = "libpayspec.dylib" if sys.platform == "darwin" else "libpayspec.so"
NATIVE = HERE / "payspec" / "_native"
SOURCES = HERE / "rust"


class BinaryDistribution(Distribution):
    """A distribution with a library is not pure Python."""

    def has_ext_modules(self) -> bool:
        return NATIVE.exists() or SOURCES.exists()


class BuildPackage(build_py):
    """Adds the library."""

    def run(self) -> None:
        if not NATIVE.exists() and SOURCES.exists():
            if shutil.which("cargo") is None:
                sys.exit("payspec has no wheel for this platform: to build it, install Rust (https://rustup.rs)")
            command = ["cargo", "build", "--locked", "--release", "--package", "payspec-ffi"]
            subprocess.run(command, cwd=SOURCES, check=True)
            NATIVE.mkdir()
            shutil.copy(SOURCES / "target" / "release" / FILE, NATIVE / FILE)
        super().run()


class PlatformWheel(bdist_wheel):
    """Tags the wheel: any Python 3, one platform."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "py3", "none", os.environ.get("PAYSPEC_WHEEL_PLATFORM", platform)


setup(distclass=BinaryDistribution, cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel})
