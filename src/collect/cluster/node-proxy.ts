import type { Channel } from '../../model/channel.ts';
import { nodeId } from '../../model/entity.ts';
import { type Had, missing } from './had.ts';
import { ClusterError, type ClusterPort } from './port.ts';

/** Kubelet paths are built here, since client libraries escape their slashes. */
function proxyPath(node: string, path: string): string {
  return `/api/v1/nodes/${encodeURIComponent(node)}/proxy/${path}`;
}

/** The configuration the kubelet really runs with. */
export async function kubeletConfigz(port: ClusterPort, node: string): Promise<Had> {
  return one(port, node, {
    name: `nodes/${node}/configz.json`,
    path: proxyPath(node, 'configz'),
    channels: ['kubelet-config'],
    limitBytes: 1 << 20,
  });
}

/** Whether the kubelet thinks itself well; it answers 500 with the failing check in words. */
export async function kubeletHealth(port: ClusterPort, node: string): Promise<Had> {
  const command = `kubectl get --raw ${proxyPath(node, 'healthz')}`;
  const name = `nodes/${node}/healthz.txt`;
  try {
    const { body, date } = await port.request({ path: proxyPath(node, 'healthz'), limitBytes: 64 * 1024 });
    return { documents: [said(name, `root@${node}:~# curl -sk https://localhost:10250/healthz`, body, date)], unread: [] };
  } catch (error) {
    return { documents: [], unread: [missing(error, { doc: name, command, missed: [] })] };
  }
}

interface Wanted {
  readonly name: string;
  readonly path: string;
  readonly channels: readonly Channel[];
  readonly limitBytes: number;
}

async function one(port: ClusterPort, node: string, { name, path, channels, limitBytes }: Wanted): Promise<Had> {
  try {
    const { body, date } = await port.request({ path, limitBytes });
    const bytes = inLines(body);
    return { documents: [{ name, size: bytes.length, bytes, ...(date !== undefined ? { takenAt: date } : {}) }], unread: [] };
  } catch (error) {
    const missed = channels.map((channel) => ({ channel, about: nodeId(node) }));
    return { documents: [], unread: [missing(error, { doc: name, command: `kubectl get --raw ${path}`, missed })] };
  }
}

/** A kubelet answers in one long line; a key a line can be cited. */
function inLines(body: Uint8Array): Uint8Array {
  try {
    return Buffer.from(`${JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8')), null, 2)}\n`);
  } catch {
    return body;
  }
}

function said(name: string, prompt: string, body: Uint8Array, date: number | undefined) {
  const bytes = Buffer.concat([Buffer.from(`${prompt}\n`), body]);
  return { name, size: bytes.length, bytes, ...(date !== undefined ? { takenAt: date } : {}) };
}

/** Units whose journals answer to a channel, in the order they are tried. */
export const UNITS_OF: { readonly [C in Channel]?: readonly string[] } = {
  'kubelet-log': ['kubelet'],
  'containerd-log': ['containerd'],
  'docker-log': ['docker'],
  'crio-log': ['crio'],
};

/** Files under /var/log that hold a channel on hosts without a journal. */
const FILES_OF: { readonly [C in Channel]?: readonly string[] } = {
  'kubelet-log': ['kubelet.log', 'syslog', 'messages'],
  'containerd-log': ['containerd.log', 'syslog', 'messages'],
  'docker-log': ['docker.log', 'syslog', 'messages'],
  'crio-log': ['crio.log', 'syslog', 'messages'],
  'kernel-log': ['kern.log', 'dmesg', 'syslog', 'messages'],
  'system-log': ['syslog', 'messages'],
};

export interface NodeLogLimits {
  readonly tailLines: number;
  readonly limitBytes: number;
  readonly since?: Date;
}

/** A unit's journal by the kubelet's log query where it has one, else the end of a file under /var/log. */
export async function nodeLog(port: ClusterPort, node: string, channel: Channel, limits: NodeLogLimits): Promise<Had> {
  const refusals: unknown[] = [];
  for (const unit of UNITS_OF[channel] ?? []) {
    try {
      return await journal(port, node, unit, limits);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  try {
    const found = await logFile(port, node, channel, limits);
    if (found) return found;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refusals.push(error);
  }
  const unit = UNITS_OF[channel]?.[0];
  const last = refusals.at(-1) ?? new ClusterError('not-found', 'the kubelet offers no such log');
  return {
    documents: [],
    unread: [
      missing(last, {
        doc: `nodes/${node}/${unit ?? channel}.log`,
        command: unit ? `ssh ${node} journalctl -u ${unit} --no-pager -n ${limits.tailLines}` : `ssh ${node} journalctl -k --no-pager`,
        missed: [{ channel, about: nodeId(node) }],
      }),
    ],
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ClusterError && error.kind !== 'unauthorized';
}

async function journal(port: ClusterPort, node: string, unit: string, limits: NodeLogLimits): Promise<Had> {
  const query = new URLSearchParams({ query: unit, tailLines: String(limits.tailLines) });
  if (limits.since) query.set('sinceTime', limits.since.toISOString().replace(/\.\d+Z$/, 'Z'));
  const { body, date } = await port.request({ path: `${proxyPath(node, 'logs/')}?${query}`, limitBytes: limits.limitBytes });
  // A kubelet without the log query ignores the query and lists the folder.
  if (looksLikeFolder(body)) throw new ClusterError('not-found', 'the kubelet has no log query (feature gate NodeLogQuery)');
  const prompt = `root@${node}:~# journalctl -u ${unit} --no-pager -n ${limits.tailLines}`;
  return { documents: [said(`nodes/${node}/${unit}.log`, prompt, body, date)], unread: [] };
}

function looksLikeFolder(body: Uint8Array): boolean {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 200)).toString('latin1');
  return /^\s*(?:<!doctype html>\s*)?(?:<meta [^>]{0,100}>\s*)?<pre>/i.test(head);
}

async function logFile(port: ClusterPort, node: string, channel: Channel, limits: NodeLogLimits): Promise<Had | undefined> {
  const { body } = await port.request({ path: proxyPath(node, 'logs/'), limitBytes: 1 << 20 });
  if (!looksLikeFolder(body)) return undefined;
  const listing = Buffer.from(body).toString('latin1');
  const file = FILES_OF[channel]?.find((name) => listing.includes(`"${name}"`));
  if (file === undefined) return undefined;
  const range = `bytes=-${limits.limitBytes}`;
  const answer = await port.request({ path: proxyPath(node, `logs/${file}`), range, limitBytes: limits.limitBytes });
  return { documents: [said(`nodes/${node}/${file}`, `root@${node}:~# cat /var/log/${file}`, answer.body, answer.date)], unread: [] };
}
