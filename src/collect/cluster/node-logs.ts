import type { Channel } from '../../model/channel.ts';
import { nodeId } from '../../model/entity.ts';
import { type Had, missing, NOTHING } from './had.ts';
import { proxyPath, said } from './node-proxy.ts';
import { type ClusterAnswer, ClusterError, type ClusterPort } from './port.ts';

/** Units whose journals answer to a channel, in the order they are tried. */
const UNITS_OF: { readonly [C in Channel]?: readonly string[] } = {
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

/** The logs of nodes over one run: no folder and no file is asked for twice. */
export class NodeLogs {
  private readonly port: ClusterPort;
  private readonly limits: NodeLogLimits;
  private readonly folders = new Map<string, Promise<ClusterAnswer>>();
  private readonly filesRead = new Set<string>();

  constructor(port: ClusterPort, limits: NodeLogLimits) {
    this.port = port;
    this.limits = limits;
  }

  /** A unit's journal by the kubelet's log query where it has one, else the end of a file under /var/log. */
  async read(node: string, channel: Channel): Promise<Had> {
    const { port, limits } = this;
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
      const found = await this.file(node, channel);
      if (found) return found;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
    return refused(node, channel, limits, refusals.at(-1) ?? new ClusterError('not-found', 'the kubelet offers no such log'));
  }

  private async file(node: string, channel: Channel): Promise<Had | undefined> {
    const asked = this.folders.get(node) ?? this.port.request({ path: proxyPath(node, 'logs/'), limitBytes: 1 << 20 });
    this.folders.set(node, asked);
    const { body } = await asked;
    if (!looksLikeFolder(body)) return undefined;
    const listing = Buffer.from(body).toString('latin1');
    const file = FILES_OF[channel]?.find((name) => listing.includes(`"${name}"`));
    if (file === undefined) return undefined;
    // One file may hold what several units say.
    if (this.filesRead.has(`${node}/${file}`)) return NOTHING;
    this.filesRead.add(`${node}/${file}`);
    const { limitBytes } = this.limits;
    const answer = await this.port.request({ path: proxyPath(node, `logs/${file}`), range: `bytes=-${limitBytes}`, limitBytes });
    return { documents: [said(`nodes/${node}/${file}`, `root@${node}:~# cat /var/log/${file}`, answer.body, answer.date)], unread: [] };
  }
}

function refused(node: string, channel: Channel, { tailLines }: NodeLogLimits, error: unknown): Had {
  const unit = UNITS_OF[channel]?.[0];
  const command = unit ? `ssh ${node} journalctl -u ${unit} --no-pager -n ${tailLines}` : `ssh ${node} journalctl -k --no-pager`;
  const doc = `nodes/${node}/${unit ?? channel}.log`;
  return { documents: [], unread: [missing(error, { doc, command, missed: [{ channel, about: nodeId(node) }] })] };
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
