#!/bin/sh
# Builds a Debian package from the files below a folder, which has its paragraph of `control`.
#
#     build.sh PACKAGE FOLDER OUT
#
# VERSION, ARCHITECTURE, SONAME (the end of the library's name), GLIBC, and SOURCE_DATE_EPOCH are set.
set -eu
package=$1 out=$3
sources=$(cd "$(dirname "$0")/../.." && pwd)
# Not a revision of Debian, whose first one closes a bug.
revision="$VERSION-0payspec1"
cd "$2"

documentation=usr/share/doc/$package
mkdir -p "$documentation" DEBIAN
gzip -9n > "$documentation/changelog.Debian.gz" << END
payspec ($revision) unstable; urgency=medium

  * The changes are in CHANGELOG.md of the project.

 -- payspec maintainers <maintainers@payspec.example>  Tue, 01 Jan 1980 00:00:00 +0000
END
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    printf 'Upstream-Name: payspec\n\nFiles: *\nCopyright: the payspec authors\nLicense: MIT or Apache-2.0\n\nLicense: MIT\n'
    sed 's/^$/./; s/^/ /' "$sources/LICENSE-MIT"
    printf '\nLicense: Apache-2.0\n On Debian systems, the full text of the Apache License 2.0 is in\n'
    echo ' /usr/share/common-licenses/Apache-2.0.'
} > "$documentation/copyright"

case $package in
payspec)
    cp "$sources/cli/README.md" "$documentation/"
    for page in usr/share/man/man1/*; do gzip -9n "$page"; done
    mkdir -p usr/share/lintian/overrides
    printf '# One program for all versions of Debian.\npayspec: statically-linked-binary [usr/bin/payspec]\n' \
        > usr/share/lintian/overrides/payspec
    ;;
libpayspec-dev) cp "$sources/bindings/cpp/README.md" "$documentation/" ;;
*)
    cp "$sources/bindings/cpp/README.md" "$documentation/"
    # Programs that are linked with the library depend on the versions in these files.
    library=$(find usr/lib -name "libpayspec.so.$VERSION")
    echo "libpayspec.so.$SONAME $package #MINVER#" > DEBIAN/symbols
    nm --dynamic --defined-only --format=just-symbols "$library" | LC_ALL=C sort | sed "s/.*/ &@Base $VERSION/" >> DEBIAN/symbols
    echo "libpayspec $SONAME $package (>= $VERSION)" > DEBIAN/shlibs
    echo 'activate-noawait ldconfig' > DEBIAN/triggers
    ;;
esac

chmod -R go=rX,u+rwX,a-s .
find . -name '*.so.*' -type f -exec chmod a-x {} +
find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums
size=$(du -sk --apparent-size usr | cut -f 1)
sed "s/@SONAME@/$SONAME/; s/@GLIBC@/$GLIBC/; s/@REVISION@/$revision/; s/@ARCHITECTURE@/$ARCHITECTURE/; s/@SIZE@/$size/" \
    "$sources/xtask/debian/control" | awk -v RS= -v first="Package: $package\n" 'index($0, first) == 1' > DEBIAN/control
dpkg-deb --root-owner-group -Zxz --build . "$out/${package}_${revision}_$ARCHITECTURE.deb" > /dev/null
