import type { Channel } from '../../model/channel.ts';
import { nodeId } from '../../model/entity.ts';
import { type Had, missing } from './had.ts';
import { ClusterError, type ClusterPort } from './port.ts';

/** Kubelet paths are built here, since client libraries escape their slashes. */
export function proxyPath(node: string, path: string): string {
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

/** Whether the kubelet thinks itself well. That it refuses, or cannot be reached, tells as much as an answer does. */
export async function kubeletHealth(port: ClusterPort, node: string): Promise<Had> {
  const path = proxyPath(node, 'healthz?verbose');
  const command = `kubectl get --raw '${path}'`;
  const name = `nodes/${node}/healthz.txt`;
  try {
    const { body, date } = await port.request({ path, limitBytes: 64 * 1024 });
    return { documents: [said(name, `$ ${command}`, body, date)], unread: [] };
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'server-error' && error.said !== undefined) {
      return { documents: [said(name, `$ ${command}`, Buffer.from(`Error from server: ${error.said}\n`), Date.now())], unread: [] };
    }
    return {
      documents: [],
      unread: [missing(error, { doc: name, command, missed: [{ channel: 'kubelet-health', about: nodeId(node) }] })],
    };
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

export function said(name: string, prompt: string, body: Uint8Array, date: number | undefined) {
  const bytes = Buffer.concat([Buffer.from(`${prompt}\n`), body]);
  return { name, size: bytes.length, bytes, ...(date !== undefined ? { takenAt: date } : {}) };
}
