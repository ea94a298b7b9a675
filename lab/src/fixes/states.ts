import type { Lab, LabNode } from '../lab.ts';
import { asCommand } from './way.ts';

/** Bytes, mode and owner of files, whether they are there or not. */
export async function filesState(node: LabNode, paths: readonly string[]): Promise<string> {
  return commandState(node, paths.map(fileLine).join('; '));
}

function fileLine(path: string): string {
  const file = asCommand([path]);
  return `if [ -e ${file} ]; then stat -c '%n %F %a %u:%g' ${file}; sha256sum < ${file}; else echo ${file} absent; fi`;
}

export async function unitsState(node: LabNode, units: readonly string[]): Promise<string> {
  const lines = units.map((unit) => `echo ${unit} $(systemctl is-active ${unit}) $(systemctl is-enabled ${unit} 2> /dev/null)`);
  return commandState(node, lines.join('; '));
}

export async function commandState(node: LabNode, command: string): Promise<string> {
  const ran = await node.exec(command, { timeoutSeconds: 60 });
  if (ran.stdout.trim() === '') throw new Error(`${node.name} does not tell its state: ${ran.stderr.trim()}`);
  return ran.stdout;
}

/** What somebody wants of an object, without what the cluster notes on it. */
export async function specOf(lab: Lab, object: string, namespace?: string): Promise<string> {
  const ran = await lab.kubectl(['get', object, ...(namespace === undefined ? [] : ['-n', namespace]), '-o', 'json'], {
    timeoutSeconds: 20,
  });
  if (ran.code !== 0) return `${object} is not there`;
  const { spec } = JSON.parse(ran.stdout) as { readonly spec?: unknown };
  return JSON.stringify(spec);
}
