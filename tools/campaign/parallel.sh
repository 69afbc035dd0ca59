#!/usr/bin/env bash
# A campaign on this machine alone: `parallel.sh DIR N JOBS OPTIONS ...` runs N parts of `weft cosim OPTIONS`, JOBS at a time,
# and merges them into DIR/campaign.json and DIR/campaign.html. Run again, it runs what is missing.
# With GNU parallel where it is there, else with xargs.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -lt 3 ]; then
    sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
folder=$1 n=$2 jobs=$3
shift 3
mkdir -p "$folder" || exit 2
if command -v parallel > /dev/null; then
    parallel --will-cite --jobs "$jobs" --retries 3 "$here/shard.sh" "$folder" {} "$n" "$@" ::: $(seq "$n")
else
    seq "$n" | xargs -P "$jobs" -I{} "$here/shard.sh" "$folder" {} "$n" "$@"
fi
exec "$here/merge.sh" "$folder"
