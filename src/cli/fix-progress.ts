import type { WriteStream } from 'node:tty';
import type { Look } from '../fix/judge.ts';
import { wordNote } from './errors.ts';

export interface FixProgress {
  /** Something done or begun: it stays on the screen. */
  step(says: string): void;
  /** One more look while the quiet time runs. */
  look(look: Look, quietFor: number, quietSeconds: number): void;
  done(): void;
}

const BAR = 20;

/** On a terminal one line that moves while it watches; elsewhere a line whenever something changed. */
export function createFixProgress(stream: Partial<WriteStream> & Pick<WriteStream, 'write'>): FixProgress {
  const moves = stream.isTTY === true;
  let shown = false;
  let last = '';
  const clear = () => {
    if (shown) stream.write('\r\u001b[K');
    shown = false;
  };
  return {
    step(says) {
      clear();
      stream.write(`${wordNote(printable(says))}\n`);
    },
    look(look, quietFor, quietSeconds) {
      const state = stateOf(look);
      if (moves) {
        stream.write(`\r\u001b[K${`${bar(quietFor, quietSeconds)} ${state}`.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
        shown = true;
      } else if (state !== last) {
        stream.write(`${wordNote(state)}\n`);
      }
      last = state;
    },
    done: clear,
  };
}

function stateOf({ shows, sick, pods }: Look): string {
  const cause = shows ? 'the cause still shows' : 'the cause does not show';
  const worst = sick[0] === undefined ? '' : ` (${sick[0].name}: ${sick[0].state})`;
  return printable(`${cause}, ${sick.length} of ${pods.length} ${pods.length === 1 ? 'pod' : 'pods'} unwell${worst}`);
}

function bar(quietFor: number, quietSeconds: number): string {
  const share = quietSeconds <= 0 ? 1 : Math.min(1, quietFor / quietSeconds);
  const filled = Math.round(share * BAR);
  return `[${'='.repeat(filled)}${' '.repeat(BAR - filled)}] quiet for ${Math.round(quietFor)} of ${quietSeconds} s,`;
}

function printable(text: string): string {
  return text.replace(/\p{C}+/gu, ' ');
}
