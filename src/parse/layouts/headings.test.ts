import { describe, expect, it } from 'vitest';
import { readDocuments } from '../read-documents.ts';

async function read(text: string) {
  const { evidence } = await readDocuments([{ name: 'paste.txt', size: text.length, bytes: Buffer.from(text) }], [], {});
  return evidence;
}

const LOGS = `==> coredns [9a2e5d1f00aa] <==
.:53
[ERROR] plugin/errors: 2 kubernetes.default. A: read udp 10.244.0.2:33333->192.168.49.1:53: i/o timeout

==> dmesg <==
[May 1 10:00] usb 1-1: new device
[  +0.000012] EXT4-fs error (device sda1): bad

==> kubelet <==
-- Logs begin at Wed 2024-05-01 09:00:00 UTC, end at Wed 2024-05-01 10:00:00 UTC. --
May 01 10:00:00 minikube kubelet[2233]: E0501 10:00:00.000001    2233 pod_workers.go:1] "out of sorts" pod="shop/web-0"
`;

describe('minikube logs', () => {
  it.each([
    ['plain', LOGS],
    [
      'starred',
      LOGS.split('\n')
        .map((line) => `* ${line}`)
        .join('\n'),
    ],
  ])('has a heading over each part: %s', async (_form, text) => {
    const errors = (await read(text)).facts.filter((fact) => fact.kind === 'log.error');
    const by = (words: string) => errors.find((fact) => JSON.stringify(fact).includes(words));
    expect(by('i/o timeout')).toMatchObject({ channel: 'container-log' });
    expect(by('i/o timeout')?.about).toContain('9a2e5d1f00aa');
    expect(by('EXT4-fs error')).toMatchObject({ channel: 'kernel-log' });
    expect(by('out of sorts')).toMatchObject({ channel: 'kubelet-log', about: 'Pod/shop/web-0' });
  });
});

describe('tail of several files', () => {
  it('names each', async () => {
    const evidence = await read(
      '==> /var/log/messages <==\nMay  1 10:00:00 w-1 systemd[1]: kubelet.service: Failed with result exit-code.\n\n==> notes on this <==\nhello',
    );
    expect(evidence.pieces.some(({ what }) => what.includes('log'))).toBe(true);
    expect(evidence.coverage).toContainEqual(expect.objectContaining({ channel: 'system-log', about: 'Node/w-1' }));
  });
});
