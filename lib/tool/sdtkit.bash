# SPDX-License-Identifier: BSD-2-Clause
# Completion for bash: commands, options, files, process ids, codes of findings,
# and names of probes; for trace, programs. Options come from --help, so they are never out of date.
# shellcheck shell=bash

_sdtkit_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_sdtkit_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

# Prints the options in the help of a command: --long and -x.
_sdtkit_options() {
	"$1" "$2" --help 2>/dev/null |
		grep -E '^ +-' | grep -oE -- '(^|[ ,])(--[a-z][a-z-]*=?|-[a-zA-Z])' | tr -d ' ,' |
		sort -u
}

# Prints the probes of the files that are named on the line.
_sdtkit_probes() {
	local word
	for word in "${words[@]:2}"; do
		[ -f "$word" ] || continue
		"${words[0]}" list "$word" 2>/dev/null |
			sed -n 's/^ *[0-9]* *[a-z?]* *\([^ (]*:[^ (]*\)(.*/\1/p'
	done | sort -u
}

# Completes the last item of a list; what is before its comma stays.
_sdtkit_list() {
	local before=
	[[ $cur != *,* ]] || before=${cur%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
	compopt -o nospace 2>/dev/null || :
}

# Whether the word at the cursor is behind the command to trace. There is none
# if a process or a file is read, and patterns stand before it.
_sdtkit_has_command() {
	local i
	[[ ! " ${words[*]:2} " =~ " "(--snapshot|--via|-p|-n|--pid|--name)[" "=] ]] || return 1
	for ((i = 2; i < cword; i++)); do
		case ${words[i]} in
		--) [ $((i + 1)) -lt "$cword" ]; return ;;
		-[ocw] | --output | --count | --wait | --time | --strings | \
			--patience | --color | --ctf)
			((i++)) ;;
		-*) ;;
		*:*) [[ ${words[i]%%:*} != */* ]] || return 0 ;;
		*) return 0 ;;
		esac
	done
	return 1
}

# Values of options, which have the same meaning in each command.
_sdtkit_value() {
	case $1 in
	--pid | -p)
		_sdtkit_words "$(cd /proc && echo [0-9]*)" ;;
	--name | -n)
		_sdtkit_words "$(cat /proc/[0-9]*/comm 2>/dev/null | sort -u)" ;;
	--output | -o | --description | --heatmap | --flame | --history | --html)
		_sdtkit_files ;;
	--color)
		_sdtkit_words "auto always never" ;;
	--build)
		_sdtkit_words "autoconf automake cmake make meson waf" ;;
	--time)
		_sdtkit_words "start delta clock epoch none" ;;
	--via)
		_sdtkit_words "kernel recorder" ;;
	--for)
		_sdtkit_list "bpftrace perf gdb stap dtrace bcc" ;;
	--sort)
		if [[ ${words[1]} =~ ^(replay|merge)$ ]]; then
			_sdtkit_words "sum count errors max"
		else
			_sdtkit_list "count errors avg p99 sum rate p50 max running self"
		fi ;;
	--columns)
		if [ "${words[1]}" = list ]; then
			_sdtkit_list "sites semaphore probe arguments address offset operands"
		else
			_sdtkit_value --sort
		fi ;;
	--ignore)
		_sdtkit_list "$("${words[0]}" check --rules 2>/dev/null |
			cut -d ' ' -f 1)" ;;
	--ctf | -I)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	--cmd)
		mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u) ;;
	--count | -c | --wait | -w | --interval | -i | --width | --strings | \
		--patience | --provider | --span | --by | --slow | --frequency | \
		-F | --from | --to | --lines | --execute | -e | --target | -D | -U)
		;;
	*)
		return 1 ;;
	esac
}

_sdtkit() {
	local words cword cur prev option colons=
	# Only blanks end a word: "--for=perf" and "smb2:end" are one word each.
	read -r -a words <<<"${COMP_LINE:0:COMP_POINT}"
	[[ ${COMP_LINE:0:COMP_POINT} != *[[:space:]] ]] || words+=("")
	cword=$((${#words[@]} - 1))
	cur=${words[cword]}
	prev=${words[cword - 1]}
	COMPREPLY=()

	if [ "$cword" -le 1 ]; then
		_sdtkit_words "list check diff gen init trace top bt serve replay merge --help --version"
		return
	fi
	if [ "${words[1]}" = trace ] && _sdtkit_has_command; then
		_sdtkit_files
	elif [[ $cur == --*=* ]]; then
		option=${cur%%=*}
		cur=${cur#*=}
		_sdtkit_value "$option"
	elif [[ $cur == -* ]]; then
		_sdtkit_words "$(_sdtkit_options "${words[0]}" "${words[1]}")"
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	elif _sdtkit_value "$prev"; then
		:
	else
		_sdtkit_files
		if [[ ${words[1]} =~ ^(list|check|diff|top)$ ]]; then
			colons=yes
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
				compgen -W "$(_sdtkit_probes)" -- "$cur")
		elif [[ ${words[1]} = trace && $cur != */* &&
			! " ${words[*]:2} " =~ " "--(snapshot" "|via=) ]]; then
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
				compgen -c -- "$cur" | sort -u)
		fi
	fi
	# To bash, the text before a colon is a word of its own.
	if [[ -n $colons && $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
	fi
}

complete -F _sdtkit sdtkit
