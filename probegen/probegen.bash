# SPDX-License-Identifier: BSD-2-Clause
# Completion for bash: options, formats, warnings and files. Options come from
# --help, formats and warnings from probegen, so they are never out of date.
# shellcheck shell=bash

_probegen_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "-$1" -- "$cur")
}

_probegen_options() {
	"${words[0]}" --help 2>/dev/null |
		sed -nE 's/^ {2}(--?[a-zA-Z][a-z-]*).*/\1/p'
	printf '%s\n' -h -G -I -D -U --enum --help --version -V
}

_probegen_formats() {
	"${words[0]}" --emit '' x.d 2>&1 | sed -n 's/.*use one of //p' | tr -d ,
}

_probegen() {
	local words cur previous names name
	COMPREPLY=()
	read -r -a words <<<"${COMP_LINE:0:COMP_POINT}"
	[[ ${COMP_LINE:0:COMP_POINT} != *[[:space:]] ]] || words+=("")
	cur=${words[-1]}
	previous=${words[-2]-}
	if [[ $cur == --*=* ]]; then
		previous=${cur%%=*} cur=${cur#*=}
	fi
	[ "${#words[@]}" -gt 1 ] || return
	case $previous in
	--emit)
		mapfile -t COMPREPLY < <(
			compgen -W "$(_probegen_formats)" -- "$cur") ;;
	--alias | -D | -U)
		;;
	-I)
		_probegen_files d ;;
	-o | -s | --depfile)
		_probegen_files f ;;
	*)
		if [[ $cur == -W* ]]; then
			for name in $("${words[0]}" --warnings 2>/dev/null |
				cut -d ' ' -f 1) all; do
				names+="-W$name -Wno-$name "
			done
			mapfile -t COMPREPLY < <(
				compgen -W "$names -Werror" -- "$cur")
		elif [[ $cur == -* ]]; then
			mapfile -t COMPREPLY < <(compgen \
				-W "$(_probegen_options)" -- "$cur" | sort -u)
		else
			_probegen_files f
		fi ;;
	esac
}

complete -F _probegen probegen
