#!/usr/bin/env bash
# Replace a word everywhere in a text.
#
# Usage: replace.sh --from WORD --to WORD [--quiet] <text>
set -euo pipefail

quiet=
while [[ $# -gt 1 ]]; do
  case "$1" in
    --from) from="$2"; shift 2 ;;
    --to) to="$2"; shift 2 ;;
    --quiet) quiet=1; shift ;;
    *) break ;;
  esac
done

[[ -n "$quiet" ]] || echo "replacing ${from:?} by ${to:?}" >&2
printf '%s\n' "${1//"$from"/"$to"}"
