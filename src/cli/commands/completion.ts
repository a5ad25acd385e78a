import { Argument } from 'commander';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { addExamples } from '../parser.ts';

/** `factotum completion`. */
export const completion = defineCommand({
  name: 'completion',
  describe(parser) {
    parser
      .description('Prints a script that completes commands, actions and their options on TAB.')
      .addArgument(new Argument('<shell>', `One of ${Object.keys(SCRIPTS).join(', ')}.`).choices(Object.keys(SCRIPTS)));
    addExamples(parser, [
      ['source <(factotum completion bash)', 'in ~/.bashrc'],
      ['source <(factotum completion zsh)', 'in ~/.zshrc, after compinit'],
      ['factotum completion fish | source', 'in ~/.config/fish/config.fish'],
    ]);
  },
  async run({ out }, parser) {
    const [shell = ''] = parser.args;
    out.write(SCRIPTS[shell] ?? '');
    return EXIT.ok;
  },
});

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_factotum() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _factotum factotum
`,
  zsh: `#compdef factotum
_factotum() {
  local -a found
  local line
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then
    _describe factotum found
  else
    _files
  fi
}
compdef _factotum factotum
`,
  fish: `function __factotum_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c factotum -n 'test -n "$(__factotum_complete)"' -f -a '(__factotum_complete)'
`,
};
