#!/usr/bin/env bash
# Merges the parts in DIR into DIR/campaign.json and DIR/campaign.html: `merge.sh DIR`. Ends as `weft cosim merge` does: 0 all
# equal, 1 some not equal, 2 some missing.
set -uo pipefail
[ $# -eq 1 ] || { sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
. "$(dirname "${BASH_SOURCE[0]}")/weft.sh"
parts=$(find "$1" -maxdepth 1 -name '[0-9]*.json' ! -name '*.*.*' | sort -V)
[ -n "$parts" ] || { echo "merge.sh: no part in $1" >&2; exit 2; }
# Names of parts are numbers.
# shellcheck disable=SC2086
exec "$weft" cosim merge $parts --json "$1/campaign.json" --page "$1/campaign.html"
