"""Calls that succeed."""

from service import at, cookie, fresh, last_segment, media_type, segment, url_part, xml_part


def test_post_files_then_put_files_by_id_then_post_xml_returns_200(service):
    """What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about."""
    # POST /files
    response = service.post("/files")
    assert response.status_code == 201
    body = response.json()
    file_id = last_segment(response)
    file_etag = response.headers["ETag"]
    file_sid = cookie(response, "sid")
    file_size = at(body, "/0/size")
    file_open = at(body, "/0/open")
    file_next_end = segment(at(body, "/0/next"), 0)
    file_next_part_2 = segment(at(body, "/0/next"), 2)

    # PUT /files/{id}?open={id}
    response = service.put(
        f"/files/{url_part(file_id)}?open={url_part(file_open)}",
        headers={"If-Match": file_etag, "Cookie": f"theme=dark; sid={file_sid}"},
        json={"file": file_id, "size": file_size, "label": f"no {file_size}"},
        user="alice",
    )
    assert response.status_code == 200

    # POST /xml
    response = service.post(
        "/xml",
        headers={"Content-Type": "application/xml"},
        body=f"<file><id>{xml_part(file_id)}</id><next>{xml_part(file_next_part_2)} {xml_part(file_next_end)}</next></file>",
    )
    assert response.status_code == 200


def test_post_users_then_get_users_by_name_returns_200(service):
    """What `post_users_then_get_users_by_name_returns_200` is about."""
    # POST /users
    new_name = fresh("Kqz-07fa")
    new_mail = fresh("kqzvtw@b.c")
    response = service.post("/users", json={"name": new_name, "mail": new_mail})
    assert response.status_code == 201

    # GET /users/{id}?mail={id}
    response = service.get(f"/users/{url_part(new_name)}?mail={url_part(new_mail)}")
    assert response.status_code == 200


def test_post_move_returns_302(service):
    """What `post_move_returns_302` is about."""
    response = service.post("/move")
    assert response.status_code == 302


def test_post_form_then_get_ping_returns_200(service):
    """What `post_form_then_get_ping_returns_200` is about."""
    # POST /form
    response = service.post(
        "/form",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        body="a=1&b=%20x",
    )
    assert response.status_code == 200

    # GET /ping
    response = service.get("/ping")
    assert response.status_code == 200
    assert media_type(response) == "text/plain"
    assert response.text == "pong\n"
