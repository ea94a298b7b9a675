import type { Channel } from './channel.ts';
import type { Citation } from './citation.ts';
import type { EntityId } from './entity.ts';
import type { Sink } from './evidence.ts';

/** What is known about a stretch of text from around it: the prompt, the command typed, the file's path. */
export interface Context {
  readonly doc: string;
  /** The host the text came from (`Node/name`), where a prompt or path names one. */
  readonly node?: EntityId;
  /** The command typed before it, as given. */
  readonly command?: string;
  /** From `-n`, a path, or a heading. */
  readonly namespace?: string;
  /** Pod and container the text belongs to (`kubectl logs`, a log file's path). */
  readonly pod?: EntityId;
  readonly container?: string;
  readonly previous?: boolean;
  /** Which channel the text belongs to, where command or path tell (e.g. `journalctl -u docker`). */
  readonly channel?: Channel;
  /** A unit named by the command (`journalctl -u kubelet`, `systemctl status docker`). */
  readonly unit?: string;
  /** When the document was taken, epoch milliseconds, where its collector said so. */
  readonly takenAt?: number;
}

/** Free text that some component said: log lines, event messages, status messages. */
export interface Saying {
  readonly channel: Channel;
  readonly about: EntityId;
  readonly text: string;
  readonly cited: Citation;
  readonly when?: number;
  readonly count?: number;
  /** As the format says it; undefined lets the words decide. */
  readonly level?: 'fatal' | 'error' | 'warning' | 'info';
  /** Program that speaks: `kubelet`, `containerd`, `longhorn-manager`. */
  readonly component?: string;
  /** Last line of its log before the container ended. */
  readonly last?: boolean;
  readonly hearsay?: boolean;
}

export interface ReadingSink extends Sink {
  /** Matches known lines and keeps errors; every reader hands its free text here, once. */
  said(saying: Saying): void;
}

/** Reads one kind of block out of lines of text. */
export interface BlockReader {
  /** In a user's words, for coverage: `kubectl get pods`. */
  readonly what: string;
  /**
   * Takes the block that starts at line `from` (index into `lines`), if this reader knows it: emits facts and
   * returns the index after its last line. Returns `from` when it does not know it. Must be linear and never throw on
   * strange text. Lines are already free of control sequences and secrets.
   */
  readonly read: (lines: readonly string[], from: number, context: Context, sink: ReadingSink) => number;
}
