#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The main job from end to end, on what was built: a description becomes a
# header, the server built with it is listed, a client copies files through
# it, and bpftrace tells where the time went. `./dev demo` runs it.
#
# Without root or BPF, `sdtkit trace` takes the place of bpftrace. Exit status 0
# if all went well.
set -euo pipefail
unset CDPATH

SOURCE=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(cd "${SDTKIT_BUILD:-$SOURCE/build}" && pwd)
FILES=${DEMO_FILES:-2000}
SIZE=${DEMO_SIZE:-10240}
WAIT=30		# seconds at most, for a server to listen or a tracer to attach
SDTKIT=$BUILD/lib/tool/sdtkit

server=
tracer=
client=
ended=0		# exit status of what stop() ended last
why=		# bpftrace does not trace
work=$(mktemp -d)

# stop PID SIGNAL: ends a process that this script started, if it still runs.
# bpftrace 0.17 misses a signal that comes while it prints: try again, not soon.
stop() {
	local tries

	ended=0
	[ -n "$1" ] || return 0
	for tries in $(seq 0 99); do
		kill -0 "$1" 2>/dev/null || break
		[ $((tries % 20)) != 0 ] || kill -s "$2" "$1"
		sleep 0.2
	done
	kill -s KILL "$1" 2>/dev/null || true
	wait "$1" 2>/dev/null || ended=$?
}

cleanup() {
	stop "$client" TERM
	stop "$tracer" INT
	stop "$server" TERM
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

title() {
	printf '\n\033[1m== %s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else
		sed 's/\x1b\[[0-9]*m//g'; fi
}

indent() {
	sed 's/^/   /'
}

# wait_for TEXT FILE PID: until FILE contains TEXT; fails if PID ends before.
wait_for() {
	local deadline=$((SECONDS + WAIT))

	until grep -q "$1" "$2"; do
		if [ $SECONDS -ge $deadline ] || ! kill -0 "$3" 2>/dev/null; then
			cat "$2" >&2
			return 1
		fi
		sleep 0.1
	done
}

show_header() {
	title "1. providers/smb2/smb2.d becomes a header: probegen smb2.d -o smb2.h"
	python3 "$SOURCE/probegen" "$SOURCE/providers/smb2/smb2.d" \
		-o "$work/smb2.h"
	printf '%d lines; of the first probe, its documentation and macros:\n\n' \
		"$(wc -l <"$work/smb2.h")"
	awk '/^ \* smb2:request_start/ { print "/*"; on = doc = 1 }
	     doc { print }
	     /^ \*\// { doc = 0 }
	     on && sub(/^#define /, "") { sub(/ *\\$/, ""); print }
	     on && /^$/ { exit }' "$work/smb2.h" | indent
}

show_probes() {
	title "2. The server built with it: sdtkit list examples/demo/demo-server"
	"$SDTKIT" list "$BUILD/examples/demo/demo-server" |
		indent
}

show_site() {
	[ "$(uname -m)" = x86_64 ] || return 0
	title "3. A probe that is off: two instructions (examples/hello)"
	python3 "$SOURCE/probegen" "$SOURCE/examples/hello/hello_probes.d" \
		-o "$work/hello_probes.h"
	cat >"$work/site.c" <<-'END'
	#include "hello_probes.h"
	int add(int a, int b, char *who);
	int add(int a, int b, char *who)
	{
		HELLO_GREET(who, a);
		return a + b;
	}
	END
	cc -O2 -I"$work" -I"$SOURCE/include" -c "$work/site.c" \
		-o "$work/site.o"
	objdump -d --no-show-raw-insn "$work/site.o" |
		sed -n '/<add>:/,$p' | indent
}

# start_server [TRACER...]: with the tracer before the command, if there is one.
start_server() {
	mkdir -p "$work/share"
	: >"$work/server.log"		# that of another one is not this one's
	"$@" "$BUILD/examples/demo/demo-server" --port 0 "$work/share" \
		>"$work/server.log" 2>&1 &
	server=$!
	wait_for "listening on" "$work/server.log" "$server"
	port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$work/server.log")
}

# Attaches the report, or sets why not.
start_tracer() {
	if ! command -v bpftrace >/dev/null; then
		why="bpftrace is not installed"
	elif [ "$(id -u)" != 0 ]; then
		why="not root"
	else
		bpftrace -B none "$SOURCE/examples/reports/smb2.bt" \
			"$BUILD/examples/demo/demo-server" \
			>"$work/report" 2>"$work/tracer.log" &
		tracer=$!
		wait_for "^Tracing" "$work/report" "$tracer" 2>/dev/null &&
			return 0
		stop "$tracer" INT
		tracer=
		why="bpftrace cannot trace here: $(grep -m1 ERROR \
			"$work/tracer.log" || echo 'no BPF?')"
	fi
	return 1
}

# The server again, and it brings its tracer along.
start_traced_server() {
	stop "$server" TERM
	start_server "$SDTKIT" trace -o "$work/hits" 'smb2:request_start' \
		'smb2:request_end' --
	printf '%s\n' "No bpftrace: $why." \
		"Traced by sdtkit trace instead, which needs neither root nor BPF."
}

show_traffic() {
	title "4. Traffic: demo-client copies $FILES files of $SIZE bytes"
	start_server
	start_tracer || start_traced_server
	run_client
}

# Runs the client in the background, because bash acts on a signal only after
# the command in the foreground has ended.
run_client() {
	local status=0

	"$BUILD/examples/demo/demo-client" --port "$port" --files "$FILES" \
		--size "$SIZE" >"$work/traffic" &
	client=$!
	wait "$client" || status=$?
	client=
	indent <"$work/traffic"
	return $status
}

# gone_well FILE: fails and shows FILE, the tracer's messages, if the tracer that
# stop() ended did not end with status 0, as on a full disk.
gone_well() {
	[ "$ended" != 0 ] || return 0
	cat "$1" >&2
	printf 'demo: the tracer failed with status %d\n' "$ended" >&2
	return 1
}

# Adds up lines like
# "  0.013412  4711  smb2:request_start(mid=1, opcode=CREATE(5), ...)".
# Process and mid identify a request.
sum_up_hits() {
	awk -F '[ (=,)]+' '
	BEGIN {
		split("NEGOTIATE SESSION_SETUP LOGOFF TREE_CONNECT " \
		      "TREE_DISCONNECT CREATE CLOSE FLUSH READ WRITE LOCK " \
		      "IOCTL CANCEL ECHO FIND NOTIFY QUERY_INFO", name, " ")
	}
	$4 ~ /start$/ { start[$3, $6] = $2 }
	$4 ~ /end$/ { count[$9]++; sum[$9] += $2 - start[$3, $6] }
	END {
		for (i in count)
			printf "%-16s %6d requests, average %4d us\n",
				name[i + 1], count[i], 1e6 * sum[i] / count[i]
	}' "$work/hits" | sort -k2nr
}

show_trace() {
	title "5. Where its time went: sdtkit trace smb2:request_..."
	stop "$server" TERM
	server=
	gone_well "$work/server.log"
	echo "The first of $(wc -l <"$work/hits") lines:"
	head -n 4 "$work/hits" | cut -c 1-76 | indent
	echo "Requests by command, from dispatch to result:"
	sum_up_hits | indent
}

show_report() {
	if [ -z "$tracer" ]; then
		show_trace
		return
	fi
	title "5. Where its time went: bpftrace examples/reports/smb2.bt"
	stop "$tracer" INT
	tracer=
	gone_well "$work/tracer.log"
	# bpftrace ends with an empty line for each map that was cleared
	sed -e :again -e '/^\n*$/ { $d; N; b again' -e '}' "$work/report" |
		indent
}

show_header
show_probes
show_site
show_traffic
show_report
title "That was all of it: description, header, server, probes, traffic, report"
