#!/usr/bin/env bash
# Compiles an ordinary MPI program and runs it twice: over a tree of switches, of which the ranks use
# two leaves, and over one large switch; computing takes no time, so that what differs is the network
# alone. Then puts the two results side by side.
set -euo pipefail
cd "$(dirname "$0")/../.."

bin=.venv/bin
out=build/demo
mkdir -p "$out"
rm -rf "$out/tree" "$out/star"

echo "compiling examples/demo/heat.c with $bin/mpicc"
"$bin/mpicc" -O2 examples/demo/heat.c -o "$out/heat" -lm

for platform in tree star; do
    echo
    echo "running it on 32 ranks over platforms/${platform}64.toml"
    "$bin/kumihimo" run -n 32 --platform "platforms/${platform}64.toml" --compute none \
        --out "$out/$platform" -- "$out/heat" 512 100
done

echo
"$bin/kumihimo" compare "$out/tree" "$out/star"
echo
echo "open $out/tree/report.html in a browser for the time line, link use and traffic"
