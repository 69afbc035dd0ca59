#!/usr/bin/env bash
# Runs one part of a campaign of random programs: `shard.sh DIR K N OPTIONS ...` is the K-th of N parts of
# `weft cosim OPTIONS`, whose report becomes DIR/K.json.
#
# A report is written under a name of this try and renamed at its end, so there is one of each part or none, however often it
# is begun. A part with a report is not run again.
# It ends with 75, "try again", when the program was killed; else as `weft cosim` ends: 0 equal, 1 not equal, 2 refused.
# WEFT: the program [target/release/weft of this checkout, or target/debug/weft].
set -uo pipefail
if [ $# -lt 3 ]; then
    sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
folder=$1 k=$2 n=$3
shift 3
. "$(dirname "${BASH_SOURCE[0]}")/weft.sh"
mkdir -p "$folder" || exit 2
if [ -s "$folder/$k.json" ]; then
    echo "part $k of $n: there already"
    exit 0
fi
try=$folder/$k.$(hostname -s).$$
# A program that is killed leaves nothing under the name that counts.
trap 'rm -f "$try.json"' EXIT
"$weft" cosim "$@" --shard "$k/$n" --json "$try.json" > "$try.log" 2>&1
code=$?
mv "$try.log" "$folder/$k.log"
if [ $code -gt 128 ]; then
    echo "part $k of $n: killed by signal $((code - 128)), to be run again" >&2
    exit 75
fi
[ -s "$try.json" ] && mv "$try.json" "$folder/$k.json"
tail -n 3 "$folder/$k.log"
exit $code
