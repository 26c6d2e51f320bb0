"""Recipe of payspec for Conan 2: the library of a release, without a compiler of Rust."""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, get


class PayspecConan(ConanFile):
    name = "payspec"
    description = "The interface of a payment service as a library"
    license = "MIT OR Apache-2.0"
    homepage = "https://payspec.example"
    url = "https://payspec.example"
    topics = ("payments", "validation", "idempotency")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    @property
    def _archive(self):
        # Conan has no setting for the C library: a profile with `compiler.libcxx` describes glibc.
        platforms = self.conan_data["sources"][self.version]
        return platforms.get(str(self.settings.os), {}).get(str(self.settings.arch))

    def package_id(self):
        # A library with the interface of C, for any compiler of the program.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def validate(self):
        if self._archive is None:
            raise ConanInvalidConfiguration("payspec has libraries for Linux on x86_64 and armv8")

    def build(self):
        get(self, **self._archive, strip_root=True)

    def package(self):
        copy(self, "LICENSE-*", self.build_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", os.path.join(self.build_folder, "include"), os.path.join(self.package_folder, "include"))
        pattern = "libpayspec.so*" if self.options.shared else "libpayspec.a"
        copy(self, pattern, os.path.join(self.build_folder, "lib"), os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.cpp_info.libs = ["payspec"]
        self.cpp_info.set_property("cmake_file_name", "payspec")
        self.cpp_info.set_property("cmake_target_name", "payspec::payspec")
        self.cpp_info.set_property("pkg_config_name", "payspec")
        if not self.options.shared:
            self.cpp_info.system_libs = ["m", "dl", "pthread"]
