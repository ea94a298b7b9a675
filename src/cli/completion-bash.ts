/**
 * Needs nothing but bash 3.2, may be sourced again, and hands words over without evaluating them; files are offered
 * beside commands, since either may come first.
 */
export const bashCompletion = `# bash completion for podcause
_podcause() {
  local current=\${COMP_WORDS[COMP_CWORD]} line files=0
  [[ $current == '=' ]] && current=''
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) (( (\${line#:} & 4) == 0 )) && files=1 ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${1/#\\~/$HOME}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  (( files )) || return 0
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen -f -- "$current")
}
complete -o filenames -F _podcause podcause kubectl-podcause
`;
