// Tests of the receiver of callbacks with requests that no payment service sends.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { receiver } from "./callback.js";

let server, port;

before(async () => {
  server = receiver("whsec_AAAA", () => assert.fail("no callback was signed"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address());
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const call = async (options) => (await fetch(`http://127.0.0.1:${port}/callback`, options)).status;

test("a client that closes in the middle of a body", async (context) => {
  const unhandled = context.mock.fn(); // a rejection that ends a process
  process.on("unhandledRejection", unhandled);
  for (const close of ["destroy", "resetAndDestroy"]) {
    const received = once(server, "request");
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /callback HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n{");
    const [request] = await received;
    const closed = once(request, "close");
    socket[close]();
    await closed.catch(() => undefined);
    assert.equal(request.complete, false);
    assert.equal(await call({ method: "POST", body: "{}" }), 401, "the receiver goes on");
  }
  process.off("unhandledRejection", unhandled);
  assert.equal(unhandled.mock.callCount(), 0);
});

test("a long body and another method", async () => {
  assert.equal(await call({ method: "POST", body: " ".repeat(65_536) }), 401);
  assert.equal(await call({ method: "POST", body: " ".repeat(65_537) }), 413);
  assert.equal(await call({ method: "POST", body: " ".repeat(4_000_000) }), 413);
  assert.equal(await call({}), 405);
});
