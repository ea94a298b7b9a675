import { hostScript } from '../../../src/collect/node/host-script.ts';
import type { Lab, Ran } from '../lab.ts';
import { namespaceOf, type Scenario } from '../scenario.ts';

const LOG_LINES = 200;
const LOGGED_PODS = 6;

/** As somebody pastes it: the prompt, the command, what it printed. */
export function pasted(prompt: string, command: string, ran: Ran): string {
  const output = [ran.stdout, ran.stderr].map((text) => text.trimEnd()).filter((text) => text !== '');
  return `${[`${prompt} ${command}`, ...output].join('\n')}\n`;
}

async function kubectl(lab: Lab, args: readonly string[]): Promise<string> {
  return pasted('$', `kubectl ${args.join(' ')}`, await lab.kubectl(args, { timeoutSeconds: 60 }));
}

interface PodBrief {
  readonly name: string;
  readonly containers: readonly { readonly name: string; readonly restarts: number; readonly started: boolean }[];
}

interface PodJson {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly initContainerStatuses?: readonly StatusJson[];
    readonly containerStatuses?: readonly StatusJson[];
  };
}

interface StatusJson {
  readonly name: string;
  readonly restartCount: number;
  readonly containerID?: string;
}

export function podsOf(json: string): readonly PodBrief[] {
  const list = JSON.parse(json) as { readonly items: readonly PodJson[] };
  return list.items.map((pod) => ({
    name: pod.metadata.name,
    containers: [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])].map((status) => ({
      name: status.name,
      restarts: status.restartCount,
      started: status.containerID !== undefined && status.containerID !== '',
    })),
  }));
}

/** File name to text: the commands a person would try, in the order they would. */
export async function pastedEvidence(lab: Lab, scenario: Scenario): Promise<ReadonlyMap<string, string>> {
  const namespace = ['-n', namespaceOf(scenario)];
  const parts = [
    await kubectl(lab, ['get', 'nodes', '-o', 'wide']),
    await kubectl(lab, ['get', 'pods', ...namespace, '-o', 'wide']),
    await kubectl(lab, ['describe', 'pods', ...namespace]),
    await kubectl(lab, ['get', 'events', ...namespace, '--sort-by=.lastTimestamp']),
    ...(scenario.on === 'cluster' ? [] : [await kubectl(lab, ['describe', 'node', scenario.on])]),
  ];
  const pods = podsOf((await lab.kubectl(['get', 'pods', ...namespace, '-o', 'json'])).stdout);
  for (const pod of pods.slice(0, LOGGED_PODS)) {
    for (const container of pod.containers.filter(({ started }) => started)) {
      const log = ['logs', ...namespace, pod.name, '-c', container.name, `--tail=${LOG_LINES}`];
      parts.push(await kubectl(lab, log));
      if (container.restarts > 0) parts.push(await kubectl(lab, [...log, '--previous']));
    }
  }
  for (const args of scenario.evidence?.kubectl ?? []) parts.push(await kubectl(lab, args.includes('-A') ? args : [...args, ...namespace]));
  const files = new Map([['terminal.txt', parts.join('\n')]]);
  for (const [node, text] of await nodeEvidence(lab, scenario)) files.set(`${node}.txt`, text);
  return files;
}

async function nodeEvidence(lab: Lab, scenario: Scenario): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { node, command } of scenario.evidence?.node ?? []) {
    const text = pasted(`root@${node}:~#`, command, await lab.node(node).exec(command, { timeoutSeconds: 60 }));
    files.set(node, [files.get(node), text].filter((part) => part !== undefined).join('\n'));
  }
  return files;
}

/** What `podcause node` prints on each of the scenario's hosts; undefined where it needs none. */
export async function hostEvidence(lab: Lab, scenario: Scenario): Promise<string | undefined> {
  if (scenario.host === undefined) return undefined;
  const parts: string[] = [];
  for (const node of scenario.host) {
    const ran = await lab.node(node).exec(`PODCAUSE_NODE=${node} sh -s`, { input: hostScript(), timeoutSeconds: 120 });
    parts.push(ran.stdout);
  }
  return parts.join('\n');
}
