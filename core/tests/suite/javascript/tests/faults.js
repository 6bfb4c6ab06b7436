// Faults: what the service answers wrongly today.
//
// The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its
// test fails: expect the right status and body then, and keep the test.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { DATE_TIME, UUID, at, isNumber, mediaType, reset, service, sorted } from "../service.js";

describe("faults", () => {
  beforeEach(reset);

  // GET /orders/{id}: server error (status 500) - the answer is 500.
  // Shows F1.
  // Covers Orders:31, 32, 33, 34, 35, 36 and 1 more.
  // Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
  test("post orders then get orders by id wrongly returns 500", async () => {
    // POST /orders
    const response = await service.post("/orders", {
      json: {
        item: "book",
        quantity: 2,
        note: "as a gift, please wrap it well",
        tags: ["a", "b"],
        price: 9.5,
      },
    });
    assert.equal(response.status, 201);
    assert.equal(mediaType(response), "application/json");
    assert.equal(response.headers["cache-control"], "no-store, private");
    assert.ok("location" in response.headers);
    const body = response.json();
    assert.equal(body.item, "book");
    assert.equal(body.quantity, 2);
    assert.equal(body.price, 9.5);
    assert.equal(body.total, 1.2345678901234568e+21);
    assert.ok(isNumber(body.id));
    assert.ok(isNumber(body.rate));
    assert.equal(body.count, 9007199254740993n);
    assert.equal(body.lines.length, 1);
    assert.equal(body.lines[0].open, true);
    assert.equal(at(body, "/lines/0/0"), "key that looks like a position");
    assert.deepEqual(body.history, []);
    assert.match(body.key, UUID);
    assert.match(body.made, DATE_TIME);
    assert.deepEqual(sorted(body.labels), ["new", "paid"]);
    assert.deepEqual(sorted(body.counts), [2, 10]);
    assert.equal(body.paid, null);
    const orderId = body.id;

    // GET /orders/{id}
    const response2 = await service.get(`/orders/${orderId}`);
    assert.equal(response2.status, 500);
  });

  // What `post_drop_wrongly_breaks_the_connection` is about.
  // Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
  test("post drop wrongly breaks the connection", async () => {
    await assert.rejects(service.post("/drop", { headers: { "X-One": "1" } }));
  });
});
