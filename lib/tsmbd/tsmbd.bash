# SPDX-License-Identifier: BSD-2-Clause
# Completion for bash. Options come from --help, so they are never out of date.
# shellcheck shell=bash

# Prints the process IDs of all processes that are called smbd.
_tsmbd_pids() {
	local comm
	for comm in /proc/[0-9]*/comm; do
		[ "$(cat "$comm" 2>/dev/null)" != smbd ] || basename "${comm%/comm}"
	done
}

# Completes the last item of a list; what is before its comma stays.
_tsmbd_list() {
	local before=
	[[ $cur != *,* ]] || before=${cur%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

_tsmbd_value() {
	local words=
	case $1 in
	--top)
		_tsmbd_list "clients users shares files"
		return ;;
	--command)
		_tsmbd_list "negprot sesssetup logoff tcon tdis create close \
			flush read write lock ioctl cancel keepalive \
			query_directory notify getinfo setinfo break unknown"
		return ;;
	--by) words="requests bytes time errors" ;;
	--pid | -p) words=$(_tsmbd_pids) ;;
	--privacy) words="hash omit" ;;
	--run-as) words=$(compgen -u) ;;
	--history | --file | -f | --heatmap | --flame | --config | --pid-file | \
		--tls-cert | --tls-key | --auth | --textfile | --save | \
		--html)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	--name | -n | --node | --interval | -i | --count | -c | --lines | --frequency | -F | --slow | \
		--share | --client | --user | --listen | --top-series | \
		--history-size | --when | --save-size)
		return ;;
	*) return 1 ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

_tsmbd() {
	local line=${COMP_LINE:0:COMP_POINT} words cur previous options
	COMPREPLY=()
	# --top=f is three words for bash
	read -ra words <<<"$line"
	[[ $line != *[[:space:]] ]] || words+=("")
	cur=${words[-1]}
	previous=${words[-2]-}
	if [[ $cur == --*=* ]]; then
		previous=${cur%%=*} cur=${cur#*=}
	fi
	[ "${#words[@]}" -gt 1 ] || return
	_tsmbd_value "$previous" && return
	if [[ $cur == -* && ${words[1]} =~ ^(replay|merge)$ ]]; then
		# options of tsmbd are only named there, in a sentence
		options=$("${words[0]}" "${words[1]}" --help 2>/dev/null |
			sed "s/'tsmbd[^']*'//g" | grep -oE '(^| )--[a-z-]+=?')
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur" | sort -u)
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
	elif [[ $cur == -* ]]; then
		options=$("${words[0]}" --help 2>/dev/null |
			grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+=?' | tr , ' ')
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
	elif [ "${words[1]}" = merge ] && [ "${#words[@]}" -gt 2 ]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	else
		options=$(_tsmbd_pids)
		[ "${#words[@]}" -ne 2 ] || options+=" serve replay merge"
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
	fi
}

complete -F _tsmbd tsmbd
