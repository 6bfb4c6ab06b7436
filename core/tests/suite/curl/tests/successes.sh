# Calls that succeed.

# What `post_files_then_put_files_by_id_then_post_xml_returns_200` is about.
test_post_files_then_put_files_by_id_then_post_xml_returns_200() {
  # POST /files
  call POST /files
  expect_status 201
  file_id=$(last_segment)
  file_etag=$(field etag)
  file_sid=$(cookie sid)
  file_size=$(from_json 'at("/0/size")')
  file_open=$(from_json 'at("/0/open")')
  file_next_end=$(segment "$(from_json 'at("/0/next")')" 0)
  file_next_part_2=$(segment "$(from_json 'at("/0/next")')" 2)

  # PUT /files/{id}?open={id}
  call PUT /files/"$(url_part "$file_id")"'?open='"$(url_part "$file_open")" \
    --header Content-Type application/json \
    --header If-Match "$file_etag" \
    --header Cookie 'theme=dark; sid='"$file_sid" \
    --body '{"file":"'"$(json_part "$file_id")"'","size":'"$file_size"',"label":"no '"$(json_part "$file_size")"'"}' \
    --user alice
  expect_status 200

  # POST /xml
  call POST /xml \
    --header Content-Type application/xml \
    --body '<file><id>'"$(xml_part "$file_id")"'</id><next>'"$(xml_part "$file_next_part_2")"' '"$(xml_part "$file_next_end")"'</next></file>'
  expect_status 200
}

# What `post_users_then_get_users_by_name_returns_200` is about.
test_post_users_then_get_users_by_name_returns_200() {
  # POST /users
  new_name=$(fresh Kqz-07fa)
  new_mail=$(fresh kqzvtw@b.c)
  call POST /users \
    --header Content-Type application/json \
    --body '{"name":"'"$(json_part "$new_name")"'","mail":"'"$(json_part "$new_mail")"'"}'
  expect_status 201

  # GET /users/{id}?mail={id}
  call GET /users/"$(url_part "$new_name")"'?mail='"$(url_part "$new_mail")"
  expect_status 200
}

# What `post_move_returns_302` is about.
test_post_move_returns_302() {
  call POST /move
  expect_status 302
}

# What `post_form_then_get_ping_returns_200` is about.
test_post_form_then_get_ping_returns_200() {
  # POST /form
  call POST /form --header Content-Type application/x-www-form-urlencoded --body 'a=1&b=%20x'
  expect_status 200

  # GET /ping
  call GET /ping
  expect_status 200
  expect_media_type text/plain
  expect_text $'pong\n'
}
