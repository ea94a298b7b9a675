import { describe, expect, it } from 'vitest';
import { containerId, podId } from '../../model/entity.ts';
import type { Evidence } from '../../model/evidence.ts';
import type { Fact } from '../../model/facts.ts';
import { createFactBase } from '../fact-base.ts';
import { deriveProbeFailures } from './probe-failures.ts';

const pod = podId('press', 'layout-0');
const app = containerId(pod, 'app');
const side = containerId(pod, 'side');

function citing(line: number) {
  return [{ doc: 'a.txt', at: { lines: [line, line] as const }, quote: 'x' }];
}

function event(reason: string, message: string, more: Partial<Fact<'pod.event'>> = {}): Fact {
  return { kind: 'pod.event', about: pod, cited: citing(1), type: 'Warning', reason, message, count: 1, ...more };
}

function spec(about: string, probe: Fact<'container.probe'>['probe'], text: string): Fact {
  return { kind: 'container.probe', about, cited: citing(9), probe, text };
}

function logged(about: string, probe: string, unhealthy: string): Fact {
  return { kind: 'log.signature', about, cited: citing(5), line: 'a/b', channel: 'kubelet-log', fields: { probe, unhealthy }, count: 1 };
}

function derived(...facts: Fact[]): readonly Fact<'pod.probe-failure'>[] {
  const evidence: Evidence = { facts, edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] };
  const base = createFactBase(evidence);
  deriveProbeFailures(base);
  return base.of('pod.probe-failure', pod);
}

const killing = event('Killing', 'Container app failed liveness probe, will be restarted', {
  cited: citing(2),
  container: 'app',
  killedBy: 'liveness-probe',
});

describe('how a probe fails', () => {
  it.each([
    ['Get "http://10.4.0.7:8080/live": dial tcp 10.4.0.7:8080: connect: connection refused', 'connection refused', ':8080/live'],
    ['dial tcp 10.4.0.7:5432: i/o timeout', 'timeout', ':5432'],
    ['HTTP probe failed with statuscode: 503', 'HTTP 503', undefined],
    ['cat: /tmp/alive: No such\n file', 'cat: /tmp/alive: No such file', undefined],
    [
      'Error initializing store: Get "https://10.96.0.1:443/apis": dial tcp 10.96.0.1:443: i/o timeout',
      'Error initializing store: Get "https://10.96.0.1:443/apis": dial tcp 10.96.0.1:443: i/o timeout',
      undefined,
    ],
    ['', 'it fails', undefined],
  ])('%s', (text, failure, target) => {
    const [fact] = derived(event('Unhealthy', `Liveness probe failed: ${text}`));
    expect(fact).toMatchObject({ probe: 'liveness', failure });
    expect(fact?.target).toBe(target);
  });

  it('is told of each probe by itself', () => {
    const facts = derived(
      event('Unhealthy', 'Readiness probe errored and resulted in unknown state: context deadline exceeded'),
      event('Unhealthy', 'Startup probe failed: HTTP probe failed with statuscode: 500'),
    );
    expect(facts.map(({ probe, failure }) => `${probe} ${failure}`)).toEqual(['readiness timeout', 'startup HTTP 500']);
  });

  it('is not told by other events', () => {
    expect(derived(event('BackOff', 'Back-off restarting failed container'), spec(app, 'liveness', 'tcp-socket :80'))).toEqual([]);
  });
});

describe('what is probed', () => {
  const failing = event('Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500');
  const ofApp = spec(app, 'liveness', 'http-get http://:8080/live delay=0s');
  const ofSide = spec(side, 'liveness', 'exec [cat /tmp/alive] delay=0s');

  it('is what the specification says', () => {
    expect(derived(failing, ofApp)[0]).toMatchObject({ container: 'app', target: ':8080/live' });
    expect(derived(failing, ofSide)[0]).toMatchObject({ container: 'side', target: 'cat /tmp/alive' });
  });

  it('belongs to the container that is killed', () => {
    const [fact] = derived(failing, ofSide, ofApp, killing);
    expect(fact).toMatchObject({ container: 'app', target: ':8080/live', cited: [...citing(1), ...citing(2)] });
  });

  it('belongs to the container that is not ready', () => {
    const running: Fact = { kind: 'container.running', about: side, cited: citing(3), ready: false };
    expect(derived(failing, ofApp, ofSide, running)[0]).toMatchObject({ container: 'side' });
  });

  it('stays open between two containers', () => {
    const [fact] = derived(failing, ofApp, ofSide);
    expect(fact?.container).toBeUndefined();
    expect(fact?.target).toBeUndefined();
  });
});

describe('the sources', () => {
  it('may be a kill alone', () => {
    expect(derived(killing)[0]).toMatchObject({ probe: 'liveness', container: 'app', failure: 'it fails' });
  });

  it('may be a line of the kubelet about a container', () => {
    expect(derived(logged(app, 'Startup', 'HTTP probe failed with statuscode: 404'))[0]).toMatchObject({
      probe: 'startup',
      container: 'app',
      failure: 'HTTP 404',
      cited: citing(5),
    });
  });

  it('leave lines aside where events tell it', () => {
    const facts = derived(logged(app, 'Liveness', 'i/o timeout'), event('Unhealthy', 'Liveness probe failed: connection refused'));
    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject({ failure: 'connection refused', cited: citing(1) });
  });

  it('stay hearsay', () => {
    expect(derived(event('Unhealthy', 'Liveness probe failed: EOF', { hearsay: true }))[0]?.hearsay).toBe(true);
  });
});

describe('a probe that fails in two ways', () => {
  const refused = event(
    'Unhealthy',
    'Readiness probe failed: Get "http://10.0.0.9:80/r": dial tcp 10.0.0.9:80: connect: connection refused',
    {
      lastAgo: 70,
    },
  );
  const unwell = event('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', { lastAgo: 2, count: 30 });

  it('fails as it did last', () => {
    for (const facts of [
      [refused, unwell],
      [unwell, refused],
    ])
      expect(derived(...facts).map(({ failure }) => failure)).toEqual(['HTTP 503']);
  });

  it('fails as it did oftener where no times are told', () => {
    const { lastAgo: _, ...undated } = unwell as Fact<'pod.event'>;
    const { lastAgo: __, ...once } = refused as Fact<'pod.event'>;
    expect(derived(once, undated).map(({ failure }) => failure)).toEqual(['HTTP 503']);
  });
});
