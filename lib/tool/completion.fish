# SPDX-License-Identifier: BSD-2-Clause
# Completion for fish: what that for bash offers, see completion.bash. It is
# installed under the name of each command.
set -l folder (string replace -r '/[^/]*$' '' (status filename))
set -l name (string replace -r '.*/(.*)\.fish$' '$1' (status filename))
set -g __sdtkit_engine $folder/../../sdtkit/completion.bash

function __sdtkit_offers
    command -q bash; and bash $__sdtkit_engine (commandline -cp | string collect) 2>/dev/null
end

complete -c $name -f -a '(__sdtkit_offers)'
