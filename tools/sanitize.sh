#!/usr/bin/env bash
# Runs a host in C that calls every function of packed FMUs under valgrind:
#
#     tools/sanitize.sh MBFMU LIBRARY [MODEL...]
#
# memcheck must find no wrong access, no use of memory that was never written, and no lost block; helgrind must find
# nothing that threads share, but the table of instances. LIBRARY must not be stripped: the tools know functions by the
# names in it. Without MODEL: a few that have a bit of everything.
set -euo pipefail

if ! command -v valgrind >/dev/null; then
    echo "valgrind is not there: the library is not watched" >&2
    exit 0
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mbfmu=$(realpath "$1")
library=$(realpath "$2")
shift 2
models=("$@")
if [ ${#models[@]} -eq 0 ]; then
    models=(ServoArm BallOnCushion FourBar HeatedBrake TwoStageRocket3D)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Exit code of a tool that has something to say; the host's own ones are smaller.
complaint=99

# watch MODEL MODE TOOL OPTION...: quiet, or all that the tool has to say.
watch() {
    local model=$1 mode=$2 tool=$3 place=$work/$1
    shift 3
    local guid
    guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' "$place/modelDescription.xml")
    valgrind -q --tool="$tool" --error-exitcode="$complaint" --keep-debuginfo=yes "$@" \
        "$work/host" "$place/binaries/linux64/$model.so" "$guid" "$place/resources" "$mode" >"$place/report" 2>&1
}

# must_be_quiet MODEL MODE TOOL OPTION...
must_be_quiet() {
    if ! watch "$@"; then
        cat "$work/$1/report"
        echo "$3 complains about $1 ($2)" >&2
        exit 1
    fi
}

# must_complain MODEL MODE TOOL OPTION...: a tool that sees nothing here proves nothing elsewhere.
must_complain() {
    local status=0
    watch "$@" || status=$?
    if [ "$status" -ne "$complaint" ]; then
        cat "$work/$1/report"
        echo "$3 sees nothing in $1 ($2), where there is something to see" >&2
        exit 1
    fi
}

memcheck=(memcheck --leak-check=full --errors-for-leak-kinds=definite,possible)
helgrind=(helgrind --read-inline-info=yes)

cc -std=gnu11 -g -O1 -Wall -Wextra -Werror -o "$work/host" "$root/tests/hosts/sanitize.c" -ldl -lpthread -lm
for model in "${models[@]}"; do
    "$mbfmu" pack "$root/fmus/$model" --library "$library" -o "$work/$model.fmu" >/dev/null
    python3 -m zipfile -e "$work/$model.fmu" "$work/$model"
done
first=${models[0]}
must_complain "$first" wrong "${memcheck[@]}"
must_complain "$first" threads "${helgrind[@]}"
must_be_quiet "$first" reload "${memcheck[@]}"
must_be_quiet "$first" threads "${memcheck[@]}"

watch_model() {
    must_be_quiet "$1" calls "${memcheck[@]}"
    must_be_quiet "$1" crowd "${memcheck[@]}"
    must_be_quiet "$1" threads "${helgrind[@]}" --suppressions="$root/tools/helgrind.supp"
    echo "$1: nothing lost, nothing shared, no wrong access"
}

# Valgrind runs all threads of a program on one core, so the models take turns on all cores.
jobs=()
for model in "${models[@]}"; do
    watch_model "$model" &
    jobs+=($!)
done
status=0
for job in "${jobs[@]}"; do
    wait "$job" || status=1
done
exit "$status"
