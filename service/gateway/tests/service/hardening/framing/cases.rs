//! The bytes of connections, and the statuses of their answers.

/// A name, the bytes of a connection, and the statuses of all answers: without a token, and with one.
///
/// `<post>` is the head of a creation request but for its last line, `<old post>` the same in HTTP/1.0,
/// and `<token>` the token of both. `<inner>` is a creation request of another merchant, which has
/// `<length>` bytes, in hexadecimal `<hex>`, and `<chunks>` is it in one chunk. `<body>` is a payment of
/// `<size>` bytes, and `<payment>` is it in one chunk without the last one.
pub(super) type Case = (&'static str, &'static str, &'static [u16], &'static [u16]);

/// If `<inner>` is a request of its own, it is executed. All other cases execute it never. Without a
/// token no body is read, so the first answer is the last one.
pub(super) const REQUESTS: &[Case] = &[
    (
        "a request after a length",
        "<post>content-length: <size>\r\n\r\n<body><inner>",
        &[401],
        &[201, 201],
    ),
    (
        "a request after chunks",
        "<post>transfer-encoding: chunked\r\n\r\n0\r\n\r\n<inner>",
        &[401],
        &[400, 201],
    ),
    (
        "a request after CONNECT",
        "CONNECT x:443 HTTP/1.1\r\nhost: x:443\r\n<token>\r\n<inner>",
        &[404, 201],
        &[404, 201],
    ),
];

pub(super) const LENGTHS: &[Case] = &[
    (
        "a length",
        "<post>content-length: <length>\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "one length twice",
        "<post>content-length: <length>\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "two lengths",
        "<post>content-length: 0\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a list of lengths",
        "<post>content-length: 0, <length>\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "an empty length",
        "<post>content-length: \r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a length with a sign",
        "<post>content-length: +0\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a negative length",
        "<post>content-length: -1\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a hexadecimal length",
        "<post>content-length: 0x0\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a length that overflows",
        "<post>content-length: 18446744073709551616\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "HTTP/1.0 with a length",
        "<old post>content-length: <size>\r\n\r\n<body><inner>",
        &[401],
        &[201],
    ),
    // The chunks count, and the connection is closed after them (RFC 9112, section 6.1).
    (
        "a length and chunks",
        "<post>content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n<chunks>",
        &[401],
        &[400],
    ),
    (
        "chunks and a length",
        "<post>transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n<chunks>",
        &[401],
        &[400],
    ),
    (
        "a length that is longer than its chunks",
        "<post>content-length: 9999\r\ntransfer-encoding: chunked\r\n\r\n<payment>0\r\n\r\n<inner>",
        &[401],
        &[201],
    ),
    (
        "chunks that are shorter than their length",
        "<post>transfer-encoding: chunked\r\ncontent-length: 9999\r\n\r\n0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
];

pub(super) const CHUNKS: &[Case] = &[
    (
        "chunks",
        "<post>transfer-encoding: chunked\r\n\r\n<chunks>",
        &[401],
        &[400],
    ),
    (
        "another last encoding",
        "<post>transfer-encoding: chunked, identity\r\n\r\n<chunks>",
        &[400],
        &[400],
    ),
    (
        "an unknown encoding",
        "<post>transfer-encoding: xchunked\r\n\r\n<chunks>",
        &[400],
        &[400],
    ),
    (
        "an encoding on a folded line",
        "<post>transfer-encoding:\r\n chunked\r\n\r\n<chunks>",
        &[400],
        &[400],
    ),
    (
        "an encoding with a space before the colon",
        "<post>transfer-encoding : chunked\r\n\r\n<chunks>",
        &[400],
        &[400],
    ),
    (
        "HTTP/1.0 with chunks",
        "<old post>transfer-encoding: chunked\r\n\r\n<chunks>",
        &[400],
        &[400],
    ),
    (
        "a wrong size",
        "<post>transfer-encoding: chunked\r\n\r\nz\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a size with a prefix",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>0x0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a size with a sign",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>+0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a size that overflows",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>fffffffffffffffff\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a size with a bare LF",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>0\n\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a chunk without its end",
        "<post>transfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a chunk that ends with a bare LF",
        "<post>transfer-encoding: chunked\r\n\r\n<hex>\r\n<inner>\n0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "an extension",
        "<post>transfer-encoding: chunked\r\n\r\n<hex>;a=\"b\"\r\n<inner>\r\n0\r\n\r\n",
        &[401],
        &[400],
    ),
    (
        "an extension with a bare LF",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>0;a\n\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "an extension that ends with a bare LF",
        "<post>transfer-encoding: chunked\r\n\r\n<hex>;a\n<inner>\r\n0\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    // Trailers have no effect.
    (
        "trailers",
        "<post>transfer-encoding: chunked\r\ntrailer: x\r\n\r\n<payment>0\r\nx: y\r\n\r\n",
        &[401],
        &[201],
    ),
    (
        "trailers with a token and a length",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>0\r\n<inner token>content-length: <length>\r\n\r\n",
        &[401],
        &[201],
    ),
    (
        "a request in place of trailers",
        "<post>transfer-encoding: chunked\r\n\r\n<payment>0\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "trailers that end with bare LFs",
        "<post>transfer-encoding: chunked\r\n\r\n0\r\nx: y\n\n<inner>",
        &[401],
        &[400, 400],
    ),
];

pub(super) const HEADS: &[Case] = &[
    (
        "two hosts",
        "GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n",
        &[400],
        &[400],
    ),
    (
        "a list of hosts",
        "GET /healthz HTTP/1.1\r\nhost: x, y\r\n\r\n",
        &[400],
        &[400],
    ),
    ("no host", "GET /healthz HTTP/1.1\r\n\r\n", &[400], &[400]),
    (
        "no host in HTTP/1.0",
        "GET /healthz HTTP/1.0\r\n\r\n",
        &[200],
        &[200],
    ),
    (
        "a NUL in a header",
        "<post>x: \0\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a CR in a header",
        "<post>x: a\rb\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[400],
        &[400],
    ),
    (
        "a head of 20 KB",
        "<post>x: <20 KB>\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[431],
        &[431],
    ),
    (
        "150 headers",
        "<post><150 headers>content-length: <length>\r\n\r\n<inner>",
        &[431],
        &[431],
    ),
    // A bare LF ends a header line, and nothing else.
    (
        "lines that end with bare LFs",
        "GET /healthz HTTP/1.1\nhost: x\n\n",
        &[200],
        &[200],
    ),
    (
        "a bare LF before a length",
        "<post>x: y\ncontent-length: <length>\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "a bare LF before chunks",
        "<post>content-length: 4\r\nx: y\ntransfer-encoding: chunked\r\n\r\n<chunks>",
        &[401],
        &[400],
    ),
    (
        "a head that ends with bare LFs",
        "<post>content-length: <length>\n\n<inner>",
        &[401],
        &[400],
    ),
    // Other protocols and methods.
    (
        "HTTP/2",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n<inner>",
        &[],
        &[],
    ),
    (
        "an upgrade to HTTP/2",
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n\
         http2-settings: AAMAAABkAAQAAP__\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n<inner>",
        &[200],
        &[200],
    ),
    (
        "an upgrade with a body",
        "<post>connection: Upgrade\r\nupgrade: h2c\r\ncontent-length: <length>\r\n\r\n<inner>",
        &[401],
        &[400],
    ),
    (
        "CONNECT with a body",
        "CONNECT x:443 HTTP/1.1\r\nhost: x:443\r\n<token>content-length: <length>\r\n\r\n<inner>",
        &[404],
        &[404],
    ),
    // Its answer would repeat the token.
    (
        "TRACE with a body",
        "TRACE /v1/payments/new HTTP/1.1\r\nhost: x\r\n<token>content-length: <length>\r\n\r\n<inner>",
        &[405],
        &[405],
    ),
];
