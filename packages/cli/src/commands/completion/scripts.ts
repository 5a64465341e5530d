export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

// Each script calls `nova-ctl __complete WORD…`, which prints one proposal per line. Without proposals, the shell
// completes file names.
export const scripts: Record<Shell, string> = {
  bash: `_nova_ctl() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "$cur"))
}
complete -o default -F _nova_ctl nova-ctl ./nova-ctl
`,
  zsh: `#compdef nova-ctl
_nova_ctl() {
  local -a proposals
  proposals=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')}")
  if [[ -n "\${proposals[1]}" ]]; then _describe nova-ctl proposals; else _files; fi
}
compdef _nova_ctl nova-ctl
`,
  fish: `complete -c nova-ctl -a '(set -l words (commandline -opc) (commandline -ct); nova-ctl __complete $words[2..] 2>/dev/null)'
`,
};
