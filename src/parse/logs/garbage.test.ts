import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../model/reading.ts';
import { attribute } from './attribute.ts';
import { namesIn } from './identity.ts';
import { createMemory, factsOfLine } from './line-facts.ts';
import { parseLogLine, plainLogLine } from './parse-line.ts';
import { textOf } from './say.ts';
import { createHearing, readText } from './testing-sink.ts';

const UID = '0a1b2c3d-1111-2222-3333-444455556666';
const SEEDS = [
  `Mar 04 10:00:01 node-a kubelet[812]: E0304 10:00:01.000002     812 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off pod=api-0_shop(${UID})\\"" pod="shop/api-0"`,
  'I0304 10:00:01.000002     1 a.go:1] "x" out=<\n\tone\n > b={"c":[1,2]}',
  'time="2024-03-04T10:00:02.5Z" level=info msg="Start cri plugin with config {ContainerdConfig:{ Runtimes:map[runc:{Type:io.containerd.runc.v2 Options:map[SystemdCgroup:true]}]}}"',
  '{"level":"info","ts":1704164645.678,"caller":"raft/raft.go:12","msg":"applied","err":{"message":"x"}}',
  '{"log":"a\\n","stream":"stdout","time":"2024-01-02T03:04:05Z"}',
  '2024-01-02T03:04:05.678Z stdout P I0304 10:00:01.000002     1 a.go:1] up',
  '[pod/web-0/app] 2024-01-02T03:04:05Z ERROR boom',
  `[12.345678] oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/kubepods/pod${UID},task_memcg=/kubepods/pod${UID}/${'c0'.repeat(32)},task=java,pid=7,uid=0`,
  'Jan 02 03:04:05 node-a systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE',
  'audit: type=1400 audit(1.1:4): apparmor="DENIED" operation="signal" profile="p" comm="runc" signal=kill peer="runc"',
  'Traceback (most recent call last):',
  '<30>1 2024-07-19T12:54:58Z node-a systemd 1 - - Started x.',
  'Error from server (BadRequest): container "app" in pod "api-0" is waiting to start: PodInitializing',
] as const;

const piece = fc.oneof(
  fc.constantFrom('"', '\\', '\\"', '(', ')', '[', ']', '{', '}', '<', '>', '=', ' ', '\t', '_', '/', ':', '\u0000', '月', '￿'),
  fc.string({ maxLength: 8 }),
);

/** A real line with parts cut out, doubled, or strange text put in. */
const mutated = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    other: fc.constantFrom(...SEEDS),
    at: fc.nat(400),
    length: fc.nat(60),
    put: piece,
    way: fc.nat(4),
  })
  .map(({ seed, other, at, length, put, way }) => {
    const from = at % (seed.length + 1);
    if (way === 0) return seed.slice(0, from);
    if (way === 1) return seed.slice(from);
    if (way === 2) return seed.slice(0, from) + put + seed.slice(from + length);
    if (way === 3) return seed.slice(0, from) + other + seed.slice(from);
    return put.repeat(50) + seed;
  });

const contexts = fc.constantFrom<Partial<Context>>(
  {},
  { channel: 'kubelet-log' },
  { channel: 'container-log' },
  { channel: 'kernel-log' },
  { channel: 'system-log' },
  { pod: 'Pod/shop/api-0', command: 'kubectl logs api-0' },
  { pod: 'uid:x', command: 'docker logs y' },
);

describe('garbage', () => {
  it('never breaks the reading of a line', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string({ unit: 'binary', maxLength: 300 })), contexts, (text, context) => {
        const { sink } = createHearing();
        const line = parseLogLine(text) ?? plainLogLine(text);
        const attribution = attribute(line, { doc: 'x', ...context });
        factsOfLine(line, attribution, { doc: 'x', at: { lines: [1, 1] }, quote: '' }, sink, createMemory());
        namesIn(text);
        expect(typeof textOf(line)).toBe('string');
        expect(line.when === undefined || Number.isFinite(line.when)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it('never breaks the reading of a text, which always moves on within it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(mutated, piece), { maxLength: 12 }), contexts, (parts, context) => {
        const text = parts.join('\n');
        const { end, sayings } = readText(text, context);
        const count = text.split('\n').length;
        expect(end).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        for (const { cited } of sayings) {
          const [first, last] = cited.at.lines ?? [0, 0];
          expect(first >= 1 && first <= last && last <= end).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('stays linear on very long lines', () => {
    const started = performance.now();
    const head = 'I0304 10:00:01.000002     1 a.go:1] ';
    for (const fill of ['"', '\\', '[', '{"', 'a=', ' ', '(', '\\n', 'a ', '<', ':', '.']) {
      for (const prefix of [
        '',
        head,
        `${head}"x" err="`,
        'time=1 level=info msg="',
        '{"msg":"',
        '2024-01-02 03:04:05 ',
        'Jan 02 03:04:05 node-a kernel: ',
      ]) {
        const line = parseLogLine(prefix + fill.repeat(30_000)) ?? plainLogLine(fill.repeat(30_000));
        textOf(line);
        attribute({ ...line, unit: 'kubelet' }, { doc: 'x' });
      }
    }
    expect(performance.now() - started).toBeLessThan(4000);
  });
});
