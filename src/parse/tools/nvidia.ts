import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { nodeOf } from './command.ts';

const FAILED =
  /^\s{0,8}(?:NVIDIA-SMI has failed because|NVIDIA-SMI couldn't |Failed to initialize NVML: |Unable to determine the device handle for GPU|No devices were found\s*$|Failed to properly shut down NVML|WARNING: infoROM is corrupted at gpu |Unable to load NVML)/;
const AFTER = /^\s{0,8}(?:NVML library version: |Make sure that the latest NVIDIA driver|running\.\s*$)/;
const VERSIONS =
  /NVIDIA-SMI\s{1,8}(?<tool>\d{2,4}\.[\d.]{1,12})\s{1,40}Driver Version:\s{1,8}(?<driver>\d{2,4}\.[\d.]{1,12})(?:\s{1,40}CUDA Version:\s{1,8}(?<cuda>[\d.]{1,10}|N\/A|ERR!))?/;
const DEVICE =
  /^\s{0,8}\|\s{1,4}(?<index>\d{1,3})\s{1,4}(?<name>[A-Za-z][^|]{1,60}?)\s{2,40}(?:On|Off|ERR!|N\/A)\s{0,4}\|\s{0,4}[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d[^|]{0,30}\|\s{0,30}(?<ecc>\d{1,9}|N\/A|Off|ERR!)?\s{0,4}\|/;
const MEMORY = /(?<used>\d{1,9})MiB \/\s{1,8}(?<all>\d{1,9})MiB/;
const MOST_LINES = 400;

function versions(line: string, at: number, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const groups = VERSIONS.exec(line)?.groups;
  if (!groups) return;
  const cited = citeLines(context.doc, lines, at);
  sink.fact('host.version', nodeOf(context), { component: 'nvidia-driver', version: groups['driver'] ?? '' }, cited);
  const cuda = groups['cuda'];
  if (cuda !== undefined && /^\d/.test(cuda)) sink.fact('host.version', nodeOf(context), { component: 'cuda', version: cuda }, cited);
}

/** A card takes two or three rows: its name and bus, then its memory and load. */
function device(lines: readonly string[], at: number): { readonly payload: FactKinds['host.gpu']; readonly text: string } | undefined {
  const head = (lines[at] ?? '').slice(0, 400);
  const groups = DEVICE.exec(head)?.groups;
  if (!groups) return undefined;
  const below = (lines[at + 1] ?? '').slice(0, 400);
  const memory = MEMORY.exec(below)?.groups;
  const broken = head.includes('ERR!') || below.includes('ERR!');
  const share = memory && Number(memory['all']) > 0 ? Number(memory['used']) / Number(memory['all']) : undefined;
  const ecc = /^\d+$/.test(groups['ecc'] ?? '') ? Number(groups['ecc']) : undefined;
  return {
    payload: {
      index: Number(groups['index']),
      name: (groups['name'] ?? '').trim(),
      state: broken ? 'error' : 'ok',
      ...(share !== undefined ? { memoryShare: share } : {}),
      ...(ecc !== undefined ? { eccErrors: ecc } : {}),
    },
    text: `${head.trim()} ${below.trim()}`,
  };
}

function isTableLine(line: string): boolean {
  return /^\s{0,8}[|+]/.test(line) || /^\s{0,8}[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d /.test(line);
}

function readTable(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  let next = from;
  for (; next < Math.min(lines.length, from + MOST_LINES); next++) {
    const line = (lines[next] ?? '').slice(0, 400);
    if (line.trim() === '' ? !/^\s{0,8}[|+]/.test(lines[next + 1] ?? '') : !isTableLine(line)) break;
    versions(line, next, lines, context, sink);
    const found = device(lines, next);
    if (!found) continue;
    const cited = citeLines(context.doc, lines, next, Math.min(next + 1, lines.length - 1));
    sink.fact('host.gpu', nodeOf(context), found.payload, cited);
    if (found.payload.state === 'error')
      sink.said({ channel: 'host-state', about: nodeOf(context), text: found.text, cited, level: 'error', component: 'nvidia-smi' });
  }
  return next;
}

function startsTable(lines: readonly string[], from: number): boolean {
  for (let index = from; index < Math.min(lines.length, from + 3); index++) {
    const line = (lines[index] ?? '').slice(0, 400);
    if (VERSIONS.test(line) || DEVICE.test(line)) return true;
    if (!isTableLine(line)) return false;
  }
  return false;
}

/** `nvidia-smi`: its table, and what it says where it has none. */
export const nvidiaReader: BlockReader = {
  what: 'nvidia-smi',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const line = (lines[from] ?? '').slice(0, 1000);
    if (!FAILED.test(line)) return startsTable(lines, from) ? readTable(lines, from, context, sink) : from;
    let next = from + 1;
    while (next < Math.min(lines.length, from + 4) && AFTER.test((lines[next] ?? '').slice(0, 400))) next++;
    const text = lines.slice(from, next).map((part) => part.slice(0, 1000).trim());
    const cited = citeLines(context.doc, lines, from, next - 1);
    sink.said({ channel: 'host-state', about: nodeOf(context), text: text.join(' '), cited, level: 'error', component: 'nvidia-smi' });
    return next;
  },
};
export const NVIDIA_SIGN =
  /NVIDIA|NVML|device handle for GPU|No devices were found|infoROM|^\s{0,8}\+-|^\s{0,8}\|\s{1,4}\d|\d\d:\d\d:\d\d \d{4}/;
