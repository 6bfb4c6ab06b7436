// Calls that succeed.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { at, cookie, fresh, lastSegment, mediaType, reset, segment, service, urlPart, xmlPart } from "../service.js";

describe("successes", () => {
  beforeEach(reset);

  // What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about.
  test("post files then put files by id then post xml returns 200", async () => {
    // POST /files
    const response = await service.post("/files");
    assert.equal(response.status, 201);
    const body = response.json();
    const fileId = lastSegment(response);
    const fileEtag = response.headers["etag"];
    const fileSid = cookie(response, "sid");
    const fileSize = at(body, "/0/size");
    const fileOpen = at(body, "/0/open");
    const fileNextEnd = segment(at(body, "/0/next"), 0);
    const fileNextPart2 = segment(at(body, "/0/next"), 2);

    // PUT /files/{id}?open={id}
    const response2 = await service.put(`/files/${urlPart(fileId)}?open=${urlPart(fileOpen)}`, {
      headers: { "If-Match": `${fileEtag}`, Cookie: `theme=dark; sid=${fileSid}` },
      json: { file: `${fileId}`, size: fileSize, label: `no ${fileSize}` },
      user: "alice",
    });
    assert.equal(response2.status, 200);

    // POST /xml
    const response3 = await service.post("/xml", {
      headers: { "Content-Type": "application/xml" },
      body: `<file><id>${xmlPart(fileId)}</id><next>${xmlPart(fileNextPart2)} ${xmlPart(fileNextEnd)}</next></file>`,
    });
    assert.equal(response3.status, 200);
  });

  // What `post_users_then_get_users_by_name_returns_200` is about.
  test("post users then get users by name returns 200", async () => {
    // POST /users
    const newName = fresh("Kqz-07fa");
    const newMail = fresh("kqzvtw@b.c");
    const response = await service.post("/users", {
      json: { name: `${newName}`, mail: `${newMail}` },
    });
    assert.equal(response.status, 201);

    // GET /users/{id}?mail={id}
    const response2 = await service.get(`/users/${urlPart(newName)}?mail=${urlPart(newMail)}`);
    assert.equal(response2.status, 200);
  });

  // What `post_move_returns_302` is about.
  test("post move returns 302", async () => {
    const response = await service.post("/move");
    assert.equal(response.status, 302);
  });

  // What `post_form_then_get_ping_returns_200` is about.
  test("post form then get ping returns 200", async () => {
    // POST /form
    const response = await service.post("/form", {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "a=1&b=%20x",
    });
    assert.equal(response.status, 200);

    // GET /ping
    const response2 = await service.get("/ping");
    assert.equal(response2.status, 200);
    assert.equal(mediaType(response2), "text/plain");
    assert.equal(response2.text(), "pong\n");
  });
});
