import { hostname, userInfo } from 'node:os';
import { kustomizeFiles, patchFiles } from '../fix/cluster/index.ts';
import { ansiblePlaybook, type HostPlan, hostScript } from '../fix/host/index.ts';
import { type FixPlan, refusalsOf } from '../fix/plan.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { write } from './output.ts';

type FileFormat = 'patch' | 'kustomize' | 'script' | 'ansible';

/** The plan as something others run or commit: nothing is changed by printing it. */
export async function writeFiles(plan: FixPlan, format: FileFormat, waveSize: number): Promise<number> {
  const told = [...refusalsOf(plan), ...plan.unread.map(({ node, why }) => `${node}: ${why}`)];
  for (const line of told) process.stderr.write(`${wordNote(line)}\n`);
  const text = format === 'patch' || format === 'kustomize' ? clusterText(plan, format) : hostText(plan, format, waveSize);
  await write(text);
  return told.length > 0 ? EXIT.undecided : EXIT.healthy;
}

function clusterText({ cluster }: FixPlan, format: 'patch' | 'kustomize'): string {
  const files = cluster === undefined ? [] : format === 'patch' ? patchFiles(cluster) : kustomizeFiles(cluster);
  if (files.length === 0) throw new UsageError(`this fix changes no object of the cluster, so there is no ${format} for it.`);
  return files.map(({ name, text }) => `# ${name}\n${text}`).join('---\n');
}

function hostText(plan: FixPlan, format: 'script' | 'ansible', waveSize: number): string {
  const hosts = plan.hosts.filter(({ steps }) => steps.length > 0);
  const [only] = hosts;
  if (only === undefined) {
    const hint =
      plan.unread.length > 0
        ? '\n  Its files have to be read first: on the host with --here, with --via or --deep, or by hand: -o survey prints a script that reads them.'
        : '';
    throw new UsageError(`there is nothing to do on a host, so there is no ${format} for it.${hint}`);
  }
  const meta = {
    id: plan.id,
    title: plan.chosen.fix.title,
    report: plan.reportId,
    who: `${userInfo().username}@${hostname()}`,
    healthSeconds: 60,
  };
  if (format === 'ansible') return ansiblePlaybook(hosts, { ...meta, waveSize });
  if (hosts.length > 1)
    throw new UsageError(`one script is for one host; these are ${names(hosts)}. Take ansible, or leave out --all-nodes.`);
  return hostScript(only, meta);
}

function names(hosts: readonly HostPlan[]): string {
  return hosts.map(({ node }) => node).join(', ');
}
