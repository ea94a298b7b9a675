import type { Document, Unread } from '../../model/document.ts';
import { nodeId } from '../../model/entity.ts';
import { printCertificate } from './certificate.ts';
import { createCriProbe } from './cri-probe.ts';
import { HOST_PROBES } from './host-probes.ts';
import { noAnswer } from './host-script.ts';
import { FOUND, type Found, PRELUDE } from './prelude.ts';
import type { HostProbe } from './probe.ts';
import { redacted } from './redactions.ts';
import { runShell, type Shown } from './run-shell.ts';

export interface HostOptions {
  /** The name of the node; found out from the kubelet or the host unless given. */
  readonly node?: string;
  readonly probes?: readonly HostProbe[];
  /** Told before each look. */
  readonly onProbe?: (shows: string) => void;
}

export interface CollectedHost {
  readonly node: string;
  /** Prompts and output, in the format every pasted terminal has. */
  readonly text: string;
  readonly documents: readonly Document[];
  /** What could not be had, and why. */
  readonly unread: Unread[];
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Look {
  readonly found: Found;
  readonly environment: Environment;
  readonly cri: ReturnType<typeof createCriProbe>;
}

/** Looks at this host, reading only: the probes one by one, each within its time and size. */
export async function collectHost(options: HostOptions = {}): Promise<CollectedHost> {
  const found = await findOut(options.node);
  const environment = { ...process.env, ...SETTINGS, ...found, PATH: `${process.env['PATH'] ?? ''}${MORE_PATH}` };
  const look: Look = { found, environment, cri: createCriProbe(found.cri_socket) };
  const name = `nodes/${found.node}/host.txt`;
  const sections: string[] = [];
  const unread: Unread[] = [];
  for (const probe of options.probes ?? HOST_PROBES) {
    for (const file of await filesOf(probe, look)) {
      const shows = filledIn(probe.shows, { ...found, file });
      options.onProbe?.(shows);
      const shown = await outcomeOf(probe, file, look);
      if (shown === undefined) continue;
      const late = shown.late ? `\n${noAnswer(probe.seconds)}\n` : '';
      sections.push(`\nroot@${found.node}:~# ${shows}\n${redacted(shown.text)}${late}`);
      const why = troubleOf(shown, probe);
      if (why !== undefined) unread.push(missed(name, probe, shows, found.node, why));
    }
  }
  const text = sections.join('');
  const bytes = new TextEncoder().encode(text);
  return { node: found.node, text, documents: [{ name, size: bytes.length, bytes, takenAt: Date.now() }], unread };
}

const SETTINGS: Environment = { LC_ALL: 'C', SYSTEMD_COLORS: '0', SYSTEMD_PAGER: 'cat', PAGER: 'cat', SYSTEMD_IGNORE_CHROOT: '1' };
const MORE_PATH = ':/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin:/var/lib/rancher/rke2/bin:/snap/bin';
const PRINTS = FOUND.map((name) => `printf '%s\\0' "$${name}"`).join('\n');

async function findOut(node: string | undefined): Promise<Found> {
  const environment = { ...process.env, ...(node ? { PODCAUSE_NODE: node } : {}) };
  const { text } = await runShell(`${PRELUDE}\n${PRINTS}`, { seconds: 15, bytes: 256 * 1024, keep: 'head', environment });
  const values = text.split('\0');
  const found = Object.fromEntries(FOUND.map((name, index) => [name, values[index] ?? ''])) as Found;
  return { ...found, node: found.node || node || 'localhost' };
}

/** The files a probe is for; one empty name when it is for none. */
async function filesOf({ each, when, builtin }: HostProbe, { environment }: Look): Promise<readonly string[]> {
  const condition = builtin === undefined ? (when ?? 'true') : 'true';
  const list = each ? `for file in ${each.join(' ')}; do [ -e "$file" ] && printf '%s\\0' "$file"; done` : `printf '\\0'`;
  const { text } = await runShell(`if ${condition}; then ${list}\nfi`, { seconds: 10, bytes: 64 * 1024, keep: 'head', environment });
  return text.split('\0').slice(0, -1);
}

async function outcomeOf(probe: HostProbe, file: string, look: Look): Promise<Shown | undefined> {
  if (probe.builtin === 'certificate') return { text: await printCertificate(file, Date.now()), cut: false, late: false };
  if (probe.builtin !== undefined) {
    const text = await look.cri(probe.builtin);
    return text === undefined ? undefined : { text, cut: false, late: false };
  }
  const { seconds, bytes, keep } = probe;
  return runShell(probe.runs ?? probe.shows, { seconds, bytes, keep, environment: { ...look.environment, file } });
}

function filledIn(shows: string, values: Readonly<Record<string, string>>): string {
  return shows.replaceAll(/\$(?<name>[a-z_]+)/g, (whole, name: string) => values[name] ?? whole);
}

const DENIED =
  /Permission denied|Operation not permitted|insufficient permissions|permission denied|not have enough privilege|not seeing messages/;

function troubleOf({ text, late }: Shown, { seconds }: HostProbe): string | undefined {
  if (late) return `no answer within ${seconds} s`;
  return DENIED.test(text.slice(0, 4000)) && text.length < 4000 ? 'permission denied' : undefined;
}

function missed(doc: string, { channel }: HostProbe, command: string, node: string, why: string): Unread {
  const extent = why === 'permission denied' ? 'denied' : 'failed';
  return { doc: `${doc} (${command})`, why, command, missed: [{ channel, about: nodeId(node), extent }] };
}
