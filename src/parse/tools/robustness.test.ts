import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTool } from './testing-read.ts';

const LINES: readonly string[] = [
  '[preflight] Running pre-flight checks',
  '\t[ERROR Swap]: running with swap on is not supported',
  ', error: exit status 1',
  'error execution phase preflight: x',
  'E0502 09:11:12.111111    2222 a.go:171] x',
  'CERTIFICATE                EXPIRES                  RESIDUAL TIME',
  'admin.conf                 May 01, 2024 00:00 UTC   <invalid>       ca',
  '+----+----+',
  '| ENDPOINT | HEALTH | TOOK | ERROR |',
  '| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |  INFO  |',
  '| 10.1.1.1:2379 | false | 5s | context deadline exceeded |',
  '|  |  |  |  | more |',
  '10.1.1.1:2379 is unhealthy: x',
  ' /¯¯\\__/¯¯\\    Cilium:             1 errors',
  'Controller Status:       44/46 healthy',
  'Errors:                cilium             x',
  '                       cilium             y',
  '| NVIDIA-SMI 535.161.07             Driver Version: 535.161.07   CUDA Version: 12.2     |',
  '|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                    3 |',
  'Error: UPGRADE FAILED: x',
  'NAME: web',
  'STATUS: failed',
  'REVISION: 3',
  '- x',
  '',
  '    indented',
];
const COMMANDS = [undefined, 'kubeadm init', 'etcdctl endpoint health', 'cilium status', 'helm ls', 'nvidia-smi'];

function checkSound(text: string): void {
  const count = text.split('\n').length;
  for (const command of COMMANDS) {
    const read = readTool(text, command === undefined ? {} : { command });
    for (const lines of [...read.facts.map((fact) => fact.lines), ...read.said.map(({ cited }) => cited.at.lines)]) {
      expect(lines?.[0]).toBeGreaterThanOrEqual(1);
      expect(lines?.[1]).toBeLessThanOrEqual(count);
    }
  }
}

describe('strange text', () => {
  it('never makes a reader throw, and only lines there are get cited', () => {
    const damaged = fc
      .tuple(fc.constantFrom(...LINES), fc.nat(80), fc.string({ maxLength: 6 }))
      .map(([line, at, put]) => line.slice(0, at) + put + line.slice(at));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...LINES), damaged, fc.string()), { maxLength: 40 }), (lines) =>
        checkSound(lines.join('\n')),
      ),
      { numRuns: 300 },
    );
  });

  it('costs as much as it is long', () => {
    const started = performance.now();
    for (const line of LINES) {
      for (const text of [line.repeat(4000), `${line}${' '.repeat(100_000)}x`, Array.from({ length: 3000 }, () => line).join('\n')]) {
        for (const command of COMMANDS) readTool(text, command === undefined ? {} : { command });
      }
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
