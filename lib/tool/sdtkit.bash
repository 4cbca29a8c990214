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

# Values of options of trace, whose letters differ from the other commands.
_sdtkit_trace_value() {
	case $1 in
	--time | -t)
		_sdtkit_words "start delta clock epoch none" ;;
	--output | -o)
		_sdtkit_files ;;
	--ctf)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	--color)
		_sdtkit_words "auto always never" ;;
	--pid | -p)
		_sdtkit_words "$(cd /proc && echo [0-9]*)" ;;
	--probe | --max | -n | --strings | -s | --wait | -w)
		;;
	*)
		return 1 ;;
	esac
}

# Whether the word at the cursor is behind the command to trace. There is none
# if a process or a file is read.
_sdtkit_has_command() {
	local i
	[[ " ${words[*]:2} " != *" --snapshot "* ]] || return 1
	for ((i = 2; i < cword; i++)); do
		case ${words[i]} in
		--) [ $((i + 1)) -lt "$cword" ]; return ;;
		-[pontsw] | --probe | --output | --max | --time | --strings | \
			--wait | --color | --ctf | --pid)
			((i++)) ;;
		-*) ;;
		*) return 0 ;;
		esac
	done
	return 1
}

# Values of options of bt; what it runs comes from the user's mind.
_sdtkit_bt_value() {
	case $1 in
	--pid | -p)
		_sdtkit_words "$(cd /proc && echo [0-9]*)" ;;
	--cmd | -c)
		mapfile -t COMPREPLY < <(compgen -c -- "$cur" | sort -u) ;;
	--execute | -e | --for)
		;;
	*)
		return 1 ;;
	esac
}

# Values of options of top, some of which are those of trace.
_sdtkit_top_value() {
	case $1 in
	--pid | -p)
		_sdtkit_words "$(cd /proc && echo [0-9]*)" ;;
	--name | -n)
		_sdtkit_words "$(cat /proc/[0-9]*/comm 2>/dev/null | sort -u)" ;;
	--color)
		_sdtkit_words "auto always never" ;;
	--describe | --heatmap | --flame)
		_sdtkit_files ;;
	--span | --by | --interval | -i | --count | -c | --wait | -w | --slow | --frequency | -F | --width)
		;;
	*)
		return 1 ;;
	esac
}

_sdtkit_value() {
	case ${words[1]} in
	trace | bt | top)
		"_sdtkit_${words[1]}_value" "$1"
		return ;;
	esac
	case $1 in
	--color)
		_sdtkit_words "auto always never" ;;
	--for)
		_sdtkit_list "bpftrace perf gdb stap dtrace bcc" ;;
	--ignore)
		_sdtkit_list "$("${words[0]}" check --rules 2>/dev/null |
			cut -d ' ' -f 1)" ;;
	--against | --description | -d)
		_sdtkit_files ;;
	-I)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
	-D | -U | --width | --probe)
		;;
	--pid | -p)
		[ "${words[1]}" = check ] ||
			_sdtkit_words "$(cd /proc && echo [0-9]*)" ;;
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
		_sdtkit_words "list check diff gen trace top bt --help --version"
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
		if [[ ${words[1]} = list || ${words[1]} = top ]]; then
			colons=yes
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
				compgen -W "$(_sdtkit_probes)" -- "$cur")
		elif [[ ${words[1]} = trace && $cur != */* &&
			" ${words[*]:2} " != *" --snapshot "* ]]; then
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
