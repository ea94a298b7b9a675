import type { BlockReader, Context } from '../../model/reading.ts';
import { cite, cover, insideContainer, type Scope, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const CONFIG = /\bls\s(?:-\w+\s)?\/\S{0,200}\bcni\/net\.d\/?\s*$/;
const PLUGINS = /\bls\s(?:-\w+\s)?\/\S{0,200}(?:\bcni\/bin|\/lib(?:exec)?\/cni)\/?\s*$/;
const LONG =
  /^[bcdlps-][rwxsStT-]{9}[.+@]?\s+\d{1,5}\s+\S{1,64}\s+\S{1,64}\s+\d{1,15}\s+.{6,24}?\s(?<name>[\w.+-]{1,200})(?: -> \S{1,300})?$/;
const NAME = /^[\w.+-]{1,200}$/;
const NO_FOLDER = /^ls: (?:cannot access )?'?(?<path>\/[^':]{1,300})'?: No such file or directory$/;

function tell(scope: Scope, what: 'config' | 'plugin', name: string, line: number): void {
  // Only these are read as configurations; folders and kubeconfigs stand beside them.
  if (what === 'config' && !/\.(?:conf|conflist|json)$/.test(name)) return;
  scope.sink.fact('host.tool', scope.node, { name: `cni ${what} ${name}`, present: true }, cite(scope, line));
}

function whatOf(context: Context): 'config' | 'plugin' | undefined {
  if (insideContainer(context)) return undefined;
  if (commandIs(context, CONFIG)) return 'config';
  return commandIs(context, PLUGINS) ? 'plugin' : undefined;
}

/** `ls /etc/cni/net.d` and `ls /opt/cni/bin`: which network configurations and plugins the host has. */
export const cniFilesReader: BlockReader = {
  what: 'CNI files',
  read(lines, from, context, sink) {
    const what = whatOf(context);
    if (what === undefined) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 700).trim();
      const name = NAME.exec(line)?.[0] ?? LONG.exec(line)?.groups?.['name'];
      if (NO_FOLDER.test(line)) sink.fact('host.tool', scope.node, { name: `cni ${what}`, present: false }, cite(scope, end));
      else if (name !== undefined) tell(scope, what, name, end);
      else if (!/^total \d+$/.test(line)) break;
    }
    if (end > from) cover(scope, 'host-tools', 'excerpt', from, end);
    return end;
  },
};
