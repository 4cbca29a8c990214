# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# Completion for zsh and fish, which is that for bash: prints what bash offers
# at the end of a line, a word on each line, with a tab and what --help says:
#	$ bash completion.bash 'sdtkit list --tr'
#	--traced	with -p, -a and core dumps: list only what is traced
# The completions for bash are where they are installed, or in $2.
here=${BASH_SOURCE[0]%/*}
folder=${2:-$here/../bash-completion/completions}
read -r -a typed <<<"$1"
[[ $1 != *[[:space:]] ]] || typed+=("")
program=${typed[0]}
name=${program##*/}
last=${typed[-1]}
[ -f "$folder/$name" ] || exit 0

names_files=
# A function takes the place of bash's own, which works only while it completes.
compopt() {
	[[ " $* " != *" filenames "* ]] || names_files=yes
}
# shellcheck disable=SC1090  # the completion of the command
. "$folder/$name"

# Prints what the help says: "--traced<tab>text", "check<tab>text".
help_texts() {
	local subcommand=
	[[ $name != sdtkit || ${#typed[@]} -lt 3 ]] || subcommand=${typed[1]}
	"$program" ${subcommand:+"$subcommand"} --help 2>/dev/null </dev/null |
		sed -nE \
		-e 's/^ +(-[a-zA-Z], )?(--[a-z][a-z-]*=?)[^ ]* ?[^ ]* {2,}([^ ].*)/\2\t\3/p' \
		-e 's/^ {2}([a-z]+) {2,}([^ ].*)/\1\t\2/p' \
		-e 's/^ {2}(-[a-zA-Z]|--[a-z-]+)( [A-Z][^ ]*)? {2,}([^ ].*)/\1\t\3/p'
}

COMP_LINE=$1
COMP_POINT=${#1}
COMP_WORDBREAKS=$' \t\n'
COMPREPLY=()
"_$name"

# To bash, what follows "--color=" is a word of its own.
before=
[[ $last != --*=* ]] || before=${last%%=*}=
declare -A said=()
if [ -z "$names_files" ]; then
	while IFS=$'\t' read -r word text; do
		said[$word]=${said[$word]-$text}
	done < <(help_texts)
fi
for word in "${COMPREPLY[@]}"; do
	[ -n "$word" ] || continue
	[[ -z $names_files || ! -d $word ]] || word+=/
	printf '%s%s\t%s\n' "$before" "$word" "${said[$word]-}"
done
