import { describe, expect, it } from 'vitest';
import { parseKlog } from './klog.ts';

describe('parseKlog', () => {
  it('reads free text', () => {
    expect(parseKlog('W0314 09:26:53.589793    1234 cni.go:239] Unable to update cni config: no networks found in /etc/cni/net.d')).toEqual(
      {
        format: 'klog',
        level: 'warning',
        timeText: '0314 09:26:53.589793',
        pid: 1234,
        source: 'cni.go:239',
        message: 'Unable to update cni config: no networks found in /etc/cni/net.d',
      },
    );
  });

  it('decodes a structured line', () => {
    const line =
      'E0314 09:26:53.589793    1234 pod_workers.go:951] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"app\\" with RunContainerError: \\"exec: \\\\\\"run.sh\\\\\\": not found\\"" pod="shop/api-0" podUID=4f1c';
    expect(parseKlog(line)).toMatchObject({
      level: 'error',
      message: 'Error syncing pod, skipping',
      fields: {
        err: 'failed to "StartContainer" for "app" with RunContainerError: "exec: \\"run.sh\\": not found"',
        pod: 'shop/api-0',
        podUID: '4f1c',
      },
    });
  });

  it('reads a value of several lines', () => {
    const line =
      'E0314 09:26:53.589793 1 x.go:1] "Command failed" output=<\n\tmodprobe: FATAL: Module br_netfilter not found\n\tsecond\n > cmd="modprobe"';
    expect(parseKlog(line)?.fields).toEqual({ output: 'modprobe: FATAL: Module br_netfilter not found\nsecond', cmd: 'modprobe' });
  });

  it('knows the year where glog prints it', () => {
    expect(parseKlog('F20240314 09:26:53.5 7 a.cc:12] gone')).toMatchObject({
      level: 'fatal',
      when: Date.UTC(2024, 2, 14, 9, 26, 53, 500),
    });
  });

  it('keeps text that only starts with a quote', () => {
    expect(parseKlog('I0314 09:26:53.589793 1 a.go:1] "web": is up')?.message).toBe('"web": is up');
  });

  it.each([
    ['"half of a mess', 'quote'],
    ['"msg" err="half', 'quote'],
    ['"msg" err=<', 'block'],
  ])('marks %s as open', (body, open) => {
    expect(parseKlog(`I0314 09:26:53.589793 1 a.go:1] ${body}`)?.open).toBe(open);
  });

  it.each(['E0314 is a number', 'I0314 09:26:53.589793 no header] x', 'Error: something', 'F12'])('refuses %s', (line) => {
    expect(parseKlog(line)).toBeUndefined();
  });
});
