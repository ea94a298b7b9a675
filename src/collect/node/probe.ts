import type { Channel } from '../../model/channel.ts';

/** What the Node.js executor does itself; a shell without the helper for it leaves the probe out. */
export type Builtin = 'cri-version' | 'cri-info' | 'cri-runtime-config' | 'cri-pods' | 'cri-ps' | 'certificate';

/** One look at a host: a command that reads, never changes, within a time and a size. */
export interface HostProbe {
  readonly id: string;
  readonly channel: Channel;
  /** The command as an operator types it, shown after the prompt; `$names` of the prelude and `$file` are filled in. */
  readonly shows: string;
  /** POSIX shell that prints the same where the shown command would print more, fail without its program, or hang. */
  readonly runs?: string;
  /** POSIX shell condition; without it the probe always runs. */
  readonly when?: string;
  /** Once for each existing file of these patterns, as `$file`. */
  readonly each?: readonly string[];
  readonly seconds: number;
  readonly bytes: number;
  /** Which end is kept of more than `bytes`. */
  readonly keep: 'head' | 'tail';
  readonly builtin?: Builtin;
}

type More = Partial<Omit<HostProbe, 'id' | 'channel' | 'shows'>>;

export function look(id: string, channel: Channel, shows: string, more: More = {}): HostProbe {
  return { id, channel, shows, seconds: 5, bytes: 128 * 1024, keep: 'head', ...more };
}

/** A file whole; its comments left away where only its settings matter. */
export function file(id: string, channel: Channel, path: string, more: More = {}): HostProbe {
  return look(id, channel, `cat ${path}`, { runs: `cat "${path}"`, ...more });
}

export function has(program: string): string {
  return `command -v ${program} >/dev/null 2>&1`;
}
