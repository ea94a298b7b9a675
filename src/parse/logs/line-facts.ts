import type { Citation } from '../../model/citation.ts';
import type { Sink } from '../../model/evidence.ts';
import type { Attribution } from './attribute.ts';
import { kernelFacts } from './facts/kernel.ts';
import { kubeletFacts, programVersion } from './facts/kubelet.ts';
import type { LineMemory } from './facts/memory.ts';
import { runtimeFacts } from './facts/runtime.ts';
import { systemdFacts } from './facts/systemd.ts';
import type { LogLine } from './log-line.ts';

export { createMemory, type LineMemory, settle } from './facts/memory.ts';

/**
 * Emits the facts a single line states. With a memory kept over the lines of one log, a kill that takes several lines
 * counts once and units are told by the state they end in: call `settle` after the last line.
 */
export function factsOfLine(line: LogLine, attribution: Attribution, cited: Citation, sink: Pick<Sink, 'fact'>, memory?: LineMemory): void {
  const told = { line, attribution, cited, sink, more: line.when === undefined ? {} : { when: line.when }, ...(memory ? { memory } : {}) };
  switch (attribution.channel) {
    case 'kubelet-log':
      kubeletFacts(told);
      break;
    case 'containerd-log':
    case 'docker-log':
    case 'crio-log':
      runtimeFacts(told);
      break;
    case 'kernel-log':
      kernelFacts(told);
      break;
    case 'system-log':
      if (attribution.component === 'systemd') systemdFacts(told);
      break;
    default:
      if (line.message.startsWith('Version')) programVersion(told);
  }
}
