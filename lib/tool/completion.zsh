#compdef sdtkit probegen tsmbd
# SPDX-License-Identifier: BSD-2-Clause
# Completion for zsh: what that for bash offers, see completion.bash.
local engine=${functions_source[_sdtkit]:A:h}/../../sdtkit/completion.bash
local row word text
local -a ended ended_shown open open_shown

[[ -r $engine ]] && (( $+commands[bash] )) || return 1
for row in "${(@f)$(bash $engine "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}"; do
	word=${row%%$'\t'*} text=${row#*$'\t'}
	[[ -n $word ]] || continue
	[[ -z $text ]] || text="$word  -- $text"
	if [[ $word == *[=/] ]]; then
		open+=("$word") open_shown+=("${text:-$word}")
	else
		ended+=("$word") ended_shown+=("${text:-$word}")
	fi
done
# one description a line, if there are any
[[ -z ${(M)open_shown:#*  -- *} ]] || compadd -l -S '' -d open_shown -a open
[[ -n ${(M)open_shown:#*  -- *} ]] || compadd -S '' -a open
[[ -z ${(M)ended_shown:#*  -- *} ]] || compadd -l -d ended_shown -a ended
[[ -n ${(M)ended_shown:#*  -- *} ]] || compadd -a ended
(( ${#open} + ${#ended} ))
