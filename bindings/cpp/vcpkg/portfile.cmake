# The libraries of a release, without a compiler of Rust. There is no debug variant.
set(VCPKG_BUILD_TYPE release)

if(VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  set(platform x86_64-linux-gnu)
  set(sha512 @SHA512_x86_64-linux-gnu@)
else()
  set(platform aarch64-linux-gnu)
  set(sha512 @SHA512_aarch64-linux-gnu@)
endif()

set(name "payspec-${VERSION}-${platform}.tar.gz")
vcpkg_download_distfile(archive URLS "@RELEASES@/v${VERSION}/${name}" FILENAME "${name}" SHA512 "${sha512}")
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

file(INSTALL "${source}/include/" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
# Both kinds: each is a target of its own, payspec::payspec and payspec::payspec_static.
file(GLOB libraries "${source}/lib/libpayspec.*")
file(INSTALL ${libraries} "${source}/lib/pkgconfig" DESTINATION "${CURRENT_PACKAGES_DIR}/lib")
file(INSTALL "${source}/lib/cmake/payspec/" DESTINATION "${CURRENT_PACKAGES_DIR}/share/payspec")
# The folder is one level higher than in the archive.
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/payspec/payspec-config.cmake" "/../../.." "/../..")
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE-MIT" "${source}/LICENSE-APACHE")
