import type { LogLine } from '../log-line.ts';
import { readStamp, type Stamp } from '../stamp.ts';

const CRI = /^ (?:stdout|stderr) (?<tag>[FP])(?: |$)/;
const PREFIX = /^\[pod\/(?<pod>[^\s/\]]{1,253})\/(?<container>[^\s/\]]{1,253})\] ?/;

/** `2024-01-02T03:04:05.678Z stdout F message`: the files under /var/log/pods. */
export function parseCriFile(line: string, stamp: Stamp | undefined = readStamp(line)): LogLine | undefined {
  if (!stamp) return undefined;
  const match = CRI.exec(line.slice(stamp.end, stamp.end + 12));
  if (!match) return undefined;
  const parsed: LogLine = {
    format: 'cri',
    when: stamp.when,
    timeText: stamp.text,
    message: line.slice(stamp.end + match[0].length),
    wraps: true,
  };
  if (match.groups?.['tag'] === 'P') parsed.open = 'partial';
  return parsed;
}

/** `2024-01-02T03:04:05.678Z message`: `kubectl logs --timestamps`, `docker logs -t`. */
export function parseTimestamped(line: string, stamp: Stamp | undefined = readStamp(line)): LogLine | undefined {
  if (!stamp || line.charAt(10) !== 'T') return undefined;
  const next = line.charAt(stamp.end);
  if (next !== '' && next.trim() !== '') return undefined;
  return { format: 'kubectl', when: stamp.when, timeText: stamp.text, message: line.slice(stamp.end + 1), wraps: true };
}

/** `[pod/web-0/app] message`: `kubectl logs --prefix`. */
export function parsePodPrefix(line: string): LogLine | undefined {
  const match = PREFIX.exec(line);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const parsed: LogLine = { format: 'kubectl', message: line.slice(match[0].length), wraps: true };
  if (groups['pod']) parsed.pod = groups['pod'];
  if (groups['container']) parsed.container = groups['container'];
  return parsed;
}
