# Faults: what the service answers wrongly today.
#
# The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its
# test fails: expect the right status and body then, and keep the test.

# GET /orders/{id}: server error (status 500) - the answer is 500.
# Shows F1.
# Covers Orders:31, 32, 33, 34, 35, 36 and 1 more.
# Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
test_post_orders_then_get_orders_by_id_wrongly_returns_500() {
  # POST /orders
  call POST /orders \
    --header Content-Type application/json \
    --body '{"item":"book","quantity":2,"note":"as a gift, please wrap it well","tags":["a","b"],"price":9.5}'
  expect_status 201
  expect_media_type application/json
  expect_field cache-control 'no-store, private'
  expect_field location
  expect_json \
    '.item == "book"' \
    '.quantity == 2' \
    '.price == 9.5' \
    '.total == 1.2345678901234568e+21' \
    '(.id | type) == "number"' \
    '(.rate | type) == "number"' \
    '.count == 9007199254740993' \
    '(.lines | arrays | length) == 1' \
    '.lines[0].open == true' \
    'at("/lines/0/0") == "key that looks like a position"' \
    '(.history | arrays | length) == 0' \
    '.key | is_uuid' \
    '.made | is_date_time' \
    '(.labels | sort) == ["new","paid"]' \
    '(.counts | sort) == [2,10]' \
    '(. | has("paid")) and .paid == null'
  order_id=$(from_json .id)

  # GET /orders/{id}
  call GET /orders/"$(url_part "$order_id")"
  expect_status 500
}

# What `post_drop_wrongly_breaks_the_connection` is about.
# Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
test_post_drop_wrongly_breaks_the_connection() {
  expect_dropped POST /drop --header X-One 1
}
