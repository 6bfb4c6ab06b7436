# The service under test: `call` sends a request exactly as a test writes it, `expect_...` look at its answer.

BASE_URL=${RESTIVE_BASE_URL-http://127.0.0.1:8080/api}
BASE_URL=${BASE_URL%/}
# A `restive sut serve` that says where the service listens and resets it; none when empty.
KEEPER=${RESTIVE_SUT_URL-}
KEEPER=${KEEPER%/}
TIME_LIMIT_SECONDS=60
KEEPER_LIMIT_SECONDS=300
MAX_BODY_BYTES=16777216
MAX_WAIT_SECONDS=30
MAX_RESENDS=3
SKIPPED=77

WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT

# What jq filters of the tests may call.
JQ_FUNCTIONS='
def at($pointer): reduce ($pointer | split("/")[1:][] | gsub("~1"; "/") | gsub("~0"; "~")) as $key
  (.; if type == "array" then .[$key | tonumber] else .[$key] end);
def is_uuid: type == "string" and test("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$");
def is_date_time: type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$");
def is_date: type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}$");
def is_digits: type == "string" and test("^[0-9]+$");
def is_hexadecimal: type == "string" and test("^[0-9A-Fa-f]{8,}$");
'

# Prints the name of the variable that holds the header fields of a user, one `Name: value` a line (`?name=value` for a
# query parameter).
variable_of() {
  case $1 in
    alice) echo RESTIVE_AUTH_ALICE ;;
    *) return 1 ;;
  esac
}

# Brings the service back to its first state, when it has a call or a keeper for that.
reset() {
  if [ -n "$KEEPER" ]; then ask_keeper POST /reset; return; fi
  local url=${RESTIVE_RESET_URL-/reset}
  if [ -n "$url" ]; then
    call "${RESTIVE_RESET_VERB-POST}" "$url" || return
    [ "$STATUS" -lt 400 ] || { echo "$url answered $STATUS"; return 1; }
  fi
}

# Asks the keeper, whose answer comes when the work is done and lies in a file then.
ask_keeper() {
  printf 'Authorization: Bearer %s\n' "${RESTIVE_SUT_TOKEN-}" > "$WORK/token"
  : > "$WORK/kept"
  local status
  status=$(curl --silent --globoff --noproxy '*' --max-time "$KEEPER_LIMIT_SECONDS" --request "$1" --header "@$WORK/token" \
    --output "$WORK/kept" --write-out '%{http_code}' --url "$KEEPER$2")
  [ "$status" = 200 ] || { echo "$1 $KEEPER$2 answered $status: $(head -c 300 "$WORK/kept")"; return 1; }
}

# Takes from the keeper where the service listens, unless that is given; the path below which the tests call stays, unless
# the keeper names one.
find_service() {
  if [ -z "$KEEPER" ] || [ -n "${RESTIVE_BASE_URL+given}" ]; then return; fi
  ask_keeper GET /status || return
  local served path=${BASE_URL#*://}
  served=$(jq -r .base_url "$WORK/kept") || return
  served=${served%/}
  case ${served#*://} in */*) path='' ;; *) case $path in */*) path=/${path#*/} ;; *) path='' ;; esac ;; esac
  BASE_URL=$served$path
}

# call VERB URL [--header NAME VALUE]... [--body TEXT | --base64 TEXT] [--user NAME]
call() {
  send "$@" || { echo "$1 $2 got no answer"; exit 1; }
}

# As `call`, for a service that breaks the connection off.
expect_dropped() {
  if send "$@"; then
    echo "$1 $2 answered $STATUS"
    exit 1
  fi
}

# Sends a request, again when the service asks to wait; fails without a whole answer.
send() {
  local verb=$1 url=$2 fields=(--header Accept '*/*') names='' user=''
  shift 2
  : > "$WORK/body"
  while [ $# -gt 0 ]; do
    case $1 in
      --header) names+=" ${2,,} "; fields+=("$1" "$2" "$3"); shift 3 ;;
      --body) printf '%s' "$2" > "$WORK/body"; shift 2 ;;
      --base64) base64 -d <<< "$2" > "$WORK/body"; shift 2 ;;
      --user) user=$2; shift 2 ;;
    esac
  done
  fields_of "$user" > "$WORK/credentials" || return
  local options=(--silent --globoff --path-as-is --noproxy '*' --max-time "$TIME_LIMIT_SECONDS" --user-agent restive-suite)
  case $verb in
    HEAD) options+=(--head) ;;
    *) options+=(--request "$verb") ;;
  esac
  if [ -s "$WORK/body" ] || [[ $verb =~ ^(PATCH|POST|PUT)$ ]]; then
    options+=(--data-binary "@$WORK/body" --header Expect:)
    [[ $names == *' content-type '* ]] || options+=(--header Content-Type:)
  fi
  url=$(with_parameters "$url")
  write_fields "$names" "${fields[@]}" > "$WORK/fields"
  case $url in http://* | https://*) ;; *) url=$BASE_URL$url ;; esac
  local resends=0 wait
  while true; do
    STATUS=$(curl "${options[@]}" --header "@$WORK/fields" --dump-header "$WORK/head" --output "$WORK/answer" \
      --write-out '%{http_code}' --url "$url") || return
    [ -e "$WORK/answer" ] || : > "$WORK/answer"
    wait=$(asked_wait) || break
    [ "$resends" -lt "$MAX_RESENDS" ] || break
    sleep "$wait"
    resends=$((resends + 1))
  done
  decode
}

# The fields for every call and those of a user.
fields_of() {
  printf '%s\n' "${RESTIVE_HEADERS-}"
  [ -n "$1" ] || return 0
  local name
  name=$(variable_of "$1") || { echo "nobody knows the user $1" >&2; return 1; }
  [ -n "${!name+given}" ] || { echo "set $name to the header fields of $1, such as 'Authorization: Bearer ...'" >&2; return 1; }
  printf '%s\n' "${!name}"
}

# A URL with the query parameters among the credentials.
with_parameters() {
  local url=$1 line
  while IFS= read -r line; do
    [ "${line:0:1}" = '?' ] || continue
    case $url in *\?*) url+="&${line:1}" ;; *) url+=$line ;; esac
  done < "$WORK/credentials"
  printf '%s' "$url"
}

# The fields of a request as curl reads them: those of the credentials in place of others; cookies are joined.
write_fields() {
  local own=$1 line name value given=''
  shift
  while IFS= read -r line; do
    case $line in \?*) ;; *:*) name=${line%%:*}; given+=" ${name,,} " ;; esac
  done < "$WORK/credentials"
  local cookie=''
  while [ $# -gt 0 ]; do
    name=$2 value=$3
    shift 3
    if [[ $given == *" ${name,,} "* ]]; then
      [ "${name,,}" != cookie ] || cookie="$value; "
    elif [ "$name" = Accept ] && [ "$value" = '*/*' ] && [[ $own == *' accept '* ]]; then
      continue
    elif [ -n "$value" ]; then
      printf '%s: %s\n' "$name" "$value"
    else
      printf '%s;\n' "$name"
    fi
  done
  while IFS= read -r line; do
    case $line in
      \?*) ;;
      [Cc]ookie:*) value=${line#*:}; printf 'Cookie: %s%s\n' "$cookie" "${value# }" ;;
      *:*) printf '%s\n' "$line" ;;
    esac
  done < "$WORK/credentials"
}

# How many seconds the service asks to wait before the same request; fails when the answer counts.
asked_wait() {
  [ "$STATUS" = 429 ] || return
  local asked
  asked=$(field retry-after) || return
  case $asked in
    *[!0-9]*) asked=$(($(date -d "$asked" +%s 2> /dev/null || echo 99999999999) - $(date +%s))) ;;
  esac
  [ "$asked" -gt 0 ] || asked=0
  [ "$asked" -le "$MAX_WAIT_SECONDS" ] && echo "$asked"
}

# Takes the content coding from the answer; it stays as it came when the coding is unknown or wrong.
decode() {
  case $(field content-encoding) in
    gzip | x-gzip) gzip -dc < "$WORK/answer" > "$WORK/plain" 2> /dev/null || return 0 ;;
    # Deflate is gzip with another frame.
    deflate) { printf '\x1f\x8b\x08\0\0\0\0\0\0\0'; tail -c +3 "$WORK/answer"; } | gzip -dc > "$WORK/plain" 2> /dev/null ;;
    *) return 0 ;;
  esac
  head -c "$MAX_BODY_BYTES" "$WORK/plain" > "$WORK/answer"
}

# The value of a header field of the answer, without the blanks around it (RFC 9110, 5.5); fails when there is none.
field() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    case ${line,,} in "$1:"*) ;; *) continue ;; esac
    line=${line#*:} line=${line#"${line%%[![:blank:]]*}"}
    printf '%s' "${line%"${line##*[![:blank:]]}"}"
    return
  done < "$WORK/head"
  return 1
}

# The value of the cookie of that name that the answer sets; fails when it sets none.
cookie() {
  local line value='' found=1
  while IFS= read -r line; do
    case ${line,,} in set-cookie:*) line=${line#*:}; line=${line#"${line%%[![:blank:]]*}"} ;; *) continue ;; esac
    case $line in "$1="*) value=${line#"$1="} value=${value%%;*} found=0 ;; esac
  done < "$WORK/head"
  value=${value%$'\r'}
  printf '%s' "${value%"${value##*[! ]}"}"
  return $found
}

# Another text of the same kind: the service takes each once. What stands behind an @ stays.
fresh() {
  local head=${1%%@*} letter kind letters drawn=''
  local tail=${1#"$head"}
  while [ -n "$head" ]; do
    letter=${head:0:1} head=${head:1}
    for kind in '6 abcdef' '20 ghijklmnopqrstuvwxyz' '6 ABCDEF' '20 GHIJKLMNOPQRSTUVWXYZ' '9 123456789'; do
      letters=${kind#* }
      if [[ $letters == *"$letter"* ]]; then
        letter=${letters:RANDOM % ${kind%% *}:1}
        break
      fi
    done
    drawn+=$letter
  done
  printf '%s' "$drawn$tail"
}

expect() {
  [ "$2" = "$3" ] || { printf 'wanted %s %q, found %q\n' "$1" "$2" "$3"; exit 1; }
}

expect_status() {
  expect status "$1" "$STATUS"
}

expect_media_type() {
  local found
  found=$(field content-type)
  found=${found%%;*}
  found=${found%% *}
  expect 'media type' "$1" "${found,,}"
}

# expect_field NAME [VALUE]
expect_field() {
  local found
  found=$(field "$1") || { echo "there is no field $1"; exit 1; }
  [ $# -eq 1 ] || expect "$1" "$2" "$found"
}

expect_text() {
  printf '%s' "$1" | cmp -s - "$WORK/answer" || { printf 'wanted %q, found %q\n' "$1" "$(head -c 300 "$WORK/answer")"; exit 1; }
}

# Expects that jq filters are true of the body.
expect_json() {
  local first
  { printf '%s[' "$JQ_FUNCTIONS"; printf '(try (%s) catch false), ' "$@"; echo 'true] | map(. == true) | index(false)'; } > "$WORK/filter"
  first=$(jq -f "$WORK/filter" "$WORK/answer" 2>&1)
  case $first in
    null) ;;
    [0-9]*) echo "${@:first + 1:1} does not hold for $(head -c 300 "$WORK/answer")"; exit 1 ;;
    *) echo "the body is not JSON: $(head -c 300 "$WORK/answer")"; exit 1 ;;
  esac
}

# A scalar of the body as text.
from_json() {
  printf '%s' "$JQ_FUNCTIONS$1" > "$WORK/filter"
  jq -j -f "$WORK/filter" "$WORK/answer"
}

skip() {
  echo "$1"
  exit "$SKIPPED"
}

# A segment of the path of a URL, counted from the last one, which is 0.
segment() {
  local path=${1%%[?#]*} idx
  path=${path%/}
  for ((idx = 0; idx < $2; idx++)); do path=${path%/*}; done
  path=${path##*/}
  printf '%b' "${path//%/\\x}"
}

# The last segment of the Location field: usually the id of what was created.
last_segment() {
  segment "$(field location)" 0
}

# A value as it stands in a URL.
url_part() {
  jq -rjn --arg value "$1" '$value | @uri'
}

# A value as it stands between the quotes of a JSON string.
json_part() {
  jq -rjn --arg value "$1" '$value | tojson | .[1:-1]'
}

# A value as it stands in XML.
xml_part() {
  jq -rjn --arg value "$1" '$value | gsub("&"; "&amp;") | gsub("<"; "&lt;") | gsub(">"; "&gt;") | gsub("\""; "&quot;")
    | gsub("\u0027"; "&apos;")'
}
