"""Builds the wheel of one platform, with the program in payspec_cli. PAYSPEC_WHEEL_PLATFORM is its tag."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class BinaryDistribution(Distribution):
    """A distribution with a program is not pure Python."""

    def has_ext_modules(self) -> bool:
        return True


class PlatformWheel(bdist_wheel):
    """Tags the wheel: any Python 3, one platform."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", os.environ["PAYSPEC_WHEEL_PLATFORM"]


setup(distclass=BinaryDistribution, cmdclass={"bdist_wheel": PlatformWheel})
