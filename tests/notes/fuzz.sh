#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Feeds lib/notes and lib/decode with mutations of what is in corpus/, under
# AddressSanitizer and UndefinedBehaviorSanitizer, for a number of seconds:
#
#	tests/notes/fuzz.sh [SECONDS [DIRECTORY]]
#
# Exit status 0: nothing was found.  Else what was found is in DIRECTORY, and
# how in its log; inputs that reached new code are kept there as well.  Without
# one, it is a temporary directory.  When that is fixed, the input goes into
# corpus/, as found-WHAT-IT-IS: replay.c tries it ever after.
#
# Needed: clang with its run-time libraries, libelf, zlib.
set -eu
unset CDPATH
source=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-60}
directory=${2:-$(mktemp -d)}

mkdir -p "$directory/inputs"
# -w: whether it compiles without warnings is for the ordinary build to tell
clang -std=c11 -w -g -O1 -D_FILE_OFFSET_BITS=64 \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	-I"$source/include" -I"$source/lib/notes" -I"$source/lib/decode" \
	"$source"/lib/notes/*.c "$source"/lib/decode/*.c \
	"$source/tests/notes/fuzz_notes.c" \
	${LIBELF:--lelf} -lz -o "$directory/fuzz-notes"
status=0
"$directory/fuzz-notes" -max_total_time="$seconds" -max_len=8192 -timeout=10 \
	-rss_limit_mb=1024 -malloc_limit_mb=400 -print_final_stats=1 \
	-artifact_prefix="$directory/found-" \
	"$directory/inputs" "$source/tests/notes/corpus" \
	>"$directory/log" 2>&1 || status=$?
grep -E '^(Done|stat::|SUMMARY|==[0-9]+==ERROR)' "$directory/log" || status=1
[ $status = 0 ] || echo "it ended early: see $directory" >&2
exit $status
