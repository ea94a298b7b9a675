import { describe, expect, it } from 'vitest';
import { logReader } from './log-reader.ts';
import { createHearing, readText } from './testing-sink.ts';

const UID = '0a1b2c3d-1111-2222-3333-444455556666';
const ID = 'c0'.repeat(32);
const SANDBOX = '5a'.repeat(32);

const JOURNAL = `Mar 04 10:00:01 node-a kubelet[812]: I0304 10:00:01.000001     812 scope.go:117] "RemoveContainer" containerID="${ID}"
Mar 04 10:00:01 node-a kubelet[812]: E0304 10:00:01.000002     812 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=app pod=api-0_shop(${UID})\\"" pod="shop/api-0" podUID="${UID}"
Mar 04 10:00:02 node-a containerd[640]: time="2024-03-04T10:00:02.5Z" level=info msg="RunPodSandbox for &PodSandboxMetadata{Name:api-0,Uid:${UID},Namespace:shop,Attempt:3,} returns sandbox id \\"${SANDBOX}\\""
Mar 04 10:00:02 node-a containerd[640]: time="2024-03-04T10:00:02.6Z" level=info msg="CreateContainer within sandbox \\"${SANDBOX}\\" for &ContainerMetadata{Name:app,Attempt:3,} returns container id \\"${ID}\\""
Mar 04 10:00:03 node-a kernel: eth0: link is up`;

const PROXY = `I0304 09:55:06.895690       1 server.go:1062] "Successfully retrieved node IP(s)" IPs=["192.0.2.7"]
I0304 09:55:07.072362       1 server_linux.go:233] "Using iptables Proxier"
I0304 09:55:07.079243       1 config.go:101] "Starting endpoint slice config controller"
I0304 09:55:07.179641       1 shared_informer.go:320] Caches are synced for node config`;

describe('a journal', () => {
  const heard = readText(JOURNAL);

  it('is heard line by line, each about whom it names', () => {
    expect(heard.end).toBe(5);
    expect(heard.sayings.map(({ channel, about, level, component }) => [channel, about, level, component])).toEqual([
      ['kubelet-log', `cid:${ID}`, 'info', 'kubelet'],
      ['kubelet-log', 'Container/shop/api-0/app', 'error', 'kubelet'],
      ['containerd-log', 'Pod/shop/api-0', 'info', 'containerd'],
      ['containerd-log', `cid:${ID}`, 'info', 'containerd'],
      ['kernel-log', 'Node/node-a', undefined, 'kernel'],
    ]);
    expect(heard.sayings[1]?.text).toBe(
      `Error syncing pod, skipping: failed to "StartContainer" for "app" with CrashLoopBackOff: "back-off 5m0s restarting failed container=app pod=api-0_shop(${UID})"`,
    );
    expect(heard.sayings[1]?.cited).toMatchObject({ doc: 'log.txt', at: { lines: [2, 2] } });
  });

  it('links ids to names and pods to the host', () => {
    expect(heard.edges).toEqual([
      { type: 'alias', alias: `uid:${UID}`, entity: 'Pod/shop/api-0' },
      { type: 'alias', alias: `sandbox:${SANDBOX}`, entity: 'Pod/shop/api-0' },
      { type: 'alias', alias: `cid:${ID}`, entity: `Container/sandbox:${SANDBOX}/app` },
      { type: 'runs-on', pod: 'Pod/shop/api-0', node: 'Node/node-a' },
    ]);
  });

  it('dates lines without a year by those that have one', () => {
    expect(heard.sayings[0]?.when).toBe(Date.UTC(2024, 2, 4, 10, 0, 1, 0));
    expect(readText(PROXY).sayings[0]?.when).toBeUndefined();
  });

  it('is covered in part, per channel', () => {
    expect(heard.covers.map(({ channel, about, extent, lines }) => [channel, about, extent, lines])).toEqual([
      ['kubelet-log', 'Node/node-a', 'excerpt', [1, 2]],
      ['containerd-log', 'Node/node-a', 'excerpt', [3, 4]],
      ['kernel-log', 'Node/node-a', 'excerpt', [5, 5]],
    ]);
    expect(heard.pieces).toEqual([{ doc: 'log.txt', lines: [1, 5], what: 'kubelet journal' }]);
  });
});

describe("a container's log", () => {
  it('without a name goes to the program its lines show', () => {
    const heard = readText(PROXY);
    expect(new Set(heard.sayings.map(({ about }) => about))).toEqual(new Set(['Container/?/?/kube-proxy']));
    expect(heard.sayings.map(({ last }) => last)).toEqual([undefined, undefined, undefined, true]);
    expect(heard.facts).toEqual([
      {
        kind: 'container.last-words',
        about: 'Container/?/?/kube-proxy',
        lines: [1, 4],
        payload: {
          clean: true,
          level: 'info',
          lines: [
            'Successfully retrieved node IP(s) IPs=["192.0.2.7"]',
            'Using iptables Proxier',
            'Starting endpoint slice config controller',
            'Caches are synced for node config',
          ],
        },
      },
    ]);
    expect(heard.covers).toMatchObject([{ channel: 'container-log', extent: 'excerpt', lines: [1, 4] }]);
    expect(heard.pieces).toMatchObject([{ what: 'container log (klog)' }]);
  });

  it('counts whole, plain lines and all, where the command says it is one', () => {
    const heard = readText("Loading settings\nsh: can't open /app/run.sh: no such file", {
      pod: 'Pod/shop/api-0',
      command: 'kubectl -n shop logs api-0',
    });
    expect(heard.end).toBe(2);
    expect(heard.covers).toMatchObject([{ channel: 'container-log', about: 'Container/shop/api-0/?', extent: 'whole' }]);
    expect(heard.facts).toMatchObject([
      { kind: 'container.last-words', payload: { clean: false, lines: ['Loading settings', "sh: can't open /app/run.sh: no such file"] } },
    ]);
  });

  it('has ended where somebody goes on in their own words', () => {
    const text = 'time="2024-01-02T03:04:05Z" level=fatal msg="no iscsiadm"\nI installed the package and\nthen deleted the pods';
    const context = { doc: 'log.txt', pod: 'Pod/shop/api-0', command: 'kubectl logs api-0' };
    const { sink, facts } = createHearing();
    expect([0, 1, 2].map((from) => logReader.read(text.split('\n'), from, context, sink))).toEqual([1, 1, 2]);
    expect(facts.length).toBe(1);
  });

  it('may start with a sentence', () => {
    expect(readText('Starting the order service with defaults.\nready', { pod: 'Pod/shop/api-0', command: 'kubectl logs api-0' }).end).toBe(
      2,
    );
  });

  it('counts in part where the command asked for a part', () => {
    for (const part of ['--tail=1', '--since=5m', '--tail=200 | grep -v debug']) {
      const heard = readText('up', { pod: 'Pod/shop/api-0', command: `kubectl logs api-0 ${part}` });
      expect(heard.covers).toMatchObject([{ extent: 'excerpt' }]);
    }
  });

  it('counts whole where it is far shorter than the part that was asked for', () => {
    const heard = readText('up', { pod: 'Pod/shop/api-0', command: 'kubectl logs api-0 --tail=200' });
    expect(heard.covers).toMatchObject([{ extent: 'whole' }]);
  });

  it('ends badly when its last lines do', () => {
    const heard = readText(
      'time="2024-01-02T03:04:05Z" level=info msg=starting\ntime="2024-01-02T03:04:05Z" level=fatal msg="Error starting manager: no iscsiadm"',
    );
    expect(heard.facts).toMatchObject([{ payload: { clean: false, level: 'fatal' } }]);
  });

  it('keeps containers apart that kubectl printed together', () => {
    const heard = readText('[pod/api-0/app] up\n[pod/api-0/side] down', {
      namespace: 'shop',
      channel: 'container-log',
      command: 'kubectl logs --prefix -l app=api',
    });
    expect(heard.facts.map(({ about }) => about)).toEqual(['Container/shop/api-0/app', 'Container/shop/api-0/side']);
  });

  it('of the control plane is covered as both', () => {
    const heard = readText('{"level":"fatal","ts":"2024-01-02T03:04:05Z","caller":"etcdmain/etcd.go:1","msg":"discovery failed"}', {
      pod: 'Pod/kube-system/etcd-cp1',
      command: 'kubectl logs etcd-cp1',
    });
    expect(heard.covers.map(({ channel }) => channel)).toEqual(['control-plane-log', 'container-log']);
  });
});

describe('what kubectl says itself', () => {
  const context = { pod: 'Pod/shop/api-0', namespace: 'shop', command: 'kubectl -n shop logs api-0' };

  it('names the container it chose', () => {
    const heard = readText('Defaulted container "app" out of: app, side, wait (init)\nlistening', context);
    expect(heard.sayings).toMatchObject([{ about: 'Container/shop/api-0/app', text: 'listening' }]);
  });

  it('tells why there is no log', () => {
    const waiting = readText(
      'Error from server (BadRequest): container "app" in pod "api-0" is waiting to start: PodInitializing',
      context,
    );
    expect(waiting.facts).toMatchObject([
      { kind: 'container.waiting', about: 'Container/shop/api-0/app', payload: { reason: 'PodInitializing' } },
    ]);
    expect(waiting.covers).toMatchObject([{ channel: 'container-log', extent: 'failed' }]);
    expect(waiting.end).toBe(1);
    const denied = readText('Error from server (Forbidden): pods "api-0" is forbidden', context);
    expect(denied.covers).toMatchObject([{ extent: 'denied' }]);
    expect(denied.facts).toEqual([]);
  });
});

describe('what is no log', () => {
  it.each([
    ['a table', 'NAME    READY   STATUS\nweb-0   0/1     Error', {}],
    [
      'a describe with its pod named',
      'Name:         api-0\nNamespace:    shop',
      { pod: 'Pod/shop/api-0', command: 'kubectl describe pod api-0' },
    ],
    ['prose', 'I looked at the logs of 2024 and found nothing.', {}],
    ['a blank line', '', {}],
  ])('%s', (_, text, context) => {
    const heard = readText(text, context);
    expect(heard.end).toBe(0);
    expect(heard.sayings).toEqual([]);
  });
});

it("takes the journal's own marks", () => {
  expect(readText('-- No entries --', { command: 'journalctl -u kubelet' }).end).toBe(1);
  expect(readText('-- No entries --', { channel: 'kubelet-log' })).toMatchObject({
    end: 1,
    covers: [{ channel: 'kubelet-log', about: 'Node/?', extent: 'excerpt' }],
  });
  const heard = readText(`-- Logs begin at Mon 2024-03-04 09:00:00 UTC. --\n${JOURNAL}`, { channel: 'kubelet-log' });
  expect(heard.sayings.length).toBe(5);
});
