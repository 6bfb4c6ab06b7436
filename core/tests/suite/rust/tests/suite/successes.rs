//! Calls that succeed.

use restive_suite::{Service, fresh, json_part, url_part, xml_part};

// What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about.
#[tokio::test]
async fn post_files_then_put_files_by_id_then_post_xml_returns_200() {
    let service = Service::ready().await;

    // POST /files
    let response = service.post("/files").send().await;
    assert_eq!(response.status, 201);
    let body = response.json();
    let file_id = response.last_segment();
    let file_etag = response.header("ETag").expect("the field").to_owned();
    let file_sid = response.cookie("sid");
    let file_size = body.scalar("/0/size");
    let file_open = body.scalar("/0/open");
    let file_next_end = body.segment("/0/next", 0);
    let file_next_part_2 = body.segment("/0/next", 2);

    // PUT /files/{id}?open={id}
    let response = service
        .put(&format!("/files/{}?open={}", url_part(&file_id), url_part(&file_open)))
        .header("If-Match", &file_etag)
        .header("Cookie", format!("theme=dark; sid={file_sid}"))
        .json([
            r#"{"file":""#,
            json_part(&file_id).as_str(),
            r#"","size":"#,
            file_size.as_str(),
            r#","label":"no "#,
            json_part(&file_size).as_str(),
            r#""}"#,
        ]
        .concat())
        .user("alice")
        .send()
        .await;
    assert_eq!(response.status, 200);

    // POST /xml
    let response = service
        .post("/xml")
        .header("Content-Type", "application/xml")
        .body([
            "<file><id>",
            xml_part(&file_id).as_str(),
            "</id><next>",
            xml_part(&file_next_part_2).as_str(),
            " ",
            xml_part(&file_next_end).as_str(),
            "</next></file>",
        ]
        .concat())
        .send()
        .await;
    assert_eq!(response.status, 200);
}

// What `post_users_then_get_users_by_name_returns_200` is about.
#[tokio::test]
async fn post_users_then_get_users_by_name_returns_200() {
    let service = Service::ready().await;

    // POST /users
    let new_name = fresh("Kqz-07fa");
    let new_mail = fresh("kqzvtw@b.c");
    let response = service
        .post("/users")
        .json([
            r#"{"name":""#,
            json_part(&new_name).as_str(),
            r#"","mail":""#,
            json_part(&new_mail).as_str(),
            r#""}"#,
        ]
        .concat())
        .send()
        .await;
    assert_eq!(response.status, 201);

    // GET /users/{id}?mail={id}
    let response = service
        .get(&format!("/users/{}?mail={}", url_part(&new_name), url_part(&new_mail)))
        .send()
        .await;
    assert_eq!(response.status, 200);
}

// What `post_move_returns_302` is about.
#[tokio::test]
async fn post_move_returns_302() {
    let service = Service::ready().await;

    let response = service.post("/move").send().await;
    assert_eq!(response.status, 302);
}

// What `post_form_then_get_ping_returns_200` is about.
#[tokio::test]
async fn post_form_then_get_ping_returns_200() {
    let service = Service::ready().await;

    // POST /form
    let response = service
        .post("/form")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body("a=1&b=%20x")
        .send()
        .await;
    assert_eq!(response.status, 200);

    // GET /ping
    let response = service.get("/ping").send().await;
    assert_eq!(response.status, 200);
    assert_eq!(response.media_type(), "text/plain");
    assert_eq!(response.text(), "pong\n");
}
