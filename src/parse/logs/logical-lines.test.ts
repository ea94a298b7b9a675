import { describe, expect, it } from 'vitest';
import { logicalLines } from './logical-lines.ts';
import { textOf } from './say.ts';

function read(text: string, declared = false) {
  const lines = text.split('\n');
  return [...logicalLines(lines, 0, declared)].map(({ line, first, last, more }) => ({ at: [first, last], text: textOf(line, more) }));
}

describe('logicalLines', () => {
  it('keeps a Java trace with its line', () => {
    const text = `2024-01-02 03:04:05,000 ERROR start failed
java.lang.IllegalStateException: no datasource
\tat com.acme.App.main(App.java:12)
Caused by: java.net.ConnectException: Connection refused
\t... 12 more
2024-01-02 03:04:06,000 INFO bye`;
    expect(read(text)).toEqual([
      {
        at: [0, 4],
        text: 'start failed\njava.lang.IllegalStateException: no datasource\n\tat com.acme.App.main(App.java:12)\nCaused by: java.net.ConnectException: Connection refused\n\t... 12 more',
      },
      { at: [5, 5], text: 'bye' },
    ]);
  });

  it('keeps a Python traceback to its last line', () => {
    const text = `Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    run()
KeyError: 'DATABASE_URL'
Starting again`;
    expect(read(text, true)).toEqual([
      {
        at: [0, 3],
        text: 'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    run()\nKeyError: \'DATABASE_URL\'',
      },
      { at: [4, 4], text: 'Starting again' },
    ]);
  });

  it("keeps Go's goroutines with the panic", () => {
    const text = `2024/01/02 03:04:05 starting
panic: no kubeconfig

goroutine 1 [running]:
main.main()
\t/src/main.go:12 +0x1d
exit status 2`;
    expect(read(text, true).map(({ at }) => at)).toEqual([
      [0, 0],
      [1, 6],
    ]);
  });

  it('reads a value of several lines, each behind its own prefix', () => {
    const prefix = 'Jan 02 03:04:05 node-a kubelet[9]:';
    const text = `${prefix} E0102 03:04:05.000000       9 x.go:1] "Probe failed" output=<
${prefix}         line one
${prefix}         line two
${prefix}  > pod="shop/api-0"
${prefix} I0102 03:04:06.000000       9 x.go:1] "Next"`;
    const [first, second] = [...logicalLines(text.split('\n'), 0, false)];
    expect(first?.line).toMatchObject({
      message: 'Probe failed',
      fields: { output: 'line one\nline two', pod: 'shop/api-0' },
      unit: 'kubelet',
    });
    expect(second).toMatchObject({ first: 4, line: { message: 'Next' } });
  });

  it('joins what a terminal wrapped and what a runtime cut', () => {
    const wrapped = `E0102 03:04:05.000000       9 pod_workers.go:1] "Error syncing pod, skipping" err="failed to \\"Start
Container\\" for x" pod="shop/api-0"`;
    expect([...logicalLines(wrapped.split('\n'), 0, false)][0]?.line.fields).toEqual({
      err: 'failed to "StartContainer" for x',
      pod: 'shop/api-0',
    });
    const cut = `2024-01-02T03:04:05.1Z stdout P {"level":"error","ts":"2024-01-02T03:04:05Z","msg":"half
2024-01-02T03:04:05.2Z stdout P  and
2024-01-02T03:04:05.3Z stdout F  half"}
2024-01-02T03:04:05.4Z stdout F next`;
    expect(read(cut)).toEqual([
      { at: [0, 2], text: 'half and half' },
      { at: [3, 3], text: 'next' },
    ]);
    const docker = `{"log":"one ","stream":"stdout","time":"2024-01-02T03:04:05Z"}
{"log":"line\\n","stream":"stdout","time":"2024-01-02T03:04:05Z"}`;
    expect(read(docker)).toEqual([{ at: [0, 1], text: 'one line' }]);
  });

  it('stops where the log ends, unless all is known to be log', () => {
    const text = `I0102 03:04:05.000000       1 a.go:1] up
NAME    READY   STATUS
web-0   0/1     Error`;
    expect(read(text).length).toBe(1);
    expect(read(text, true).length).toBe(3);
  });

  it('leaves what kubeadm prints between its own warnings', () => {
    const text = `W0102 03:04:05.000000    2345 version.go:104] could not fetch a Kubernetes version from the internet
[init] Using Kubernetes version: v1.30.2
W0102 03:04:06.000000    2345 checks.go:846] detected that the sandbox image is inconsistent`;
    expect(read(text).map(({ at }) => at)).toEqual([[0, 0]]);
  });

  it('goes over blank lines and a few plain lines between log lines', () => {
    const text = `2024-01-02T03:04:05Z one

2024-01-02T03:04:05Z two
.:53
CoreDNS-1.11.1
[INFO] plugin/ready: up

That was all I could find.`;
    expect(read(text).map(({ at }) => at)).toEqual([
      [0, 0],
      [2, 4],
      [5, 5],
    ]);
  });

  it('ends a log where somebody goes on in their own words', () => {
    const text = `time="2024-01-02T03:04:05Z" level=fatal msg="no iscsiadm"
I installed the package and deleted the pods
then it was fine`;
    expect(read(text, true).length).toBe(1);
  });

  it("parts a container's log from a daemon's that follows at once", () => {
    const text = `I0102 03:04:05.000000       1 main.go:1] in a pod
I0102 03:04:05.000000    2345 kubelet.go:1] on the host`;
    expect(read(text).length).toBe(1);
  });
});
