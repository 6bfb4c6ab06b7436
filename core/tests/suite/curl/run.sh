#!/usr/bin/env bash
# Runs all tests, or those that are named; README.md lists the environment variables.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
source ./service.sh
for file in ./tests/*.sh; do source "$file"; done

if [ "${1-}" = --list ]; then
  compgen -A function test_
  exit
fi
for program in curl jq; do
  command -v "$program" > /dev/null || { echo "$program is missing" >&2; exit 1; }
done
find_service >&2 || exit 1
passed=0 failed=0 skipped=0
for name in ${@:-$(compgen -A function test_)}; do
  message=$(reset && "$name" 2>&1)
  case $? in
    0) echo "ok $name"; passed=$((passed + 1)) ;;
    "$SKIPPED") echo "skipped $name: $message"; skipped=$((skipped + 1)) ;;
    *) echo "FAILED $name: $message"; failed=$((failed + 1)) ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
