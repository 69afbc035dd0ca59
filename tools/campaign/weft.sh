# For the scripts beside it: `weft` is the program of this checkout, or the one that WEFT names.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
weft=${WEFT:-$root/target/release/weft}
[ -x "$weft" ] || weft=$root/target/debug/weft
[ -x "$weft" ] || { echo "$(basename "$0"): no $weft: cargo build --release --bin weft" >&2; exit 2; }
