import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HOST_PROBES } from './host-probes.ts';
import { hostScript } from './host-script.ts';
import { file, look } from './probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'host-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHELLS: readonly (readonly string[])[] = [['dash'], ['busybox', 'sh'], ['bash', '--posix']].filter(
  ([program]) => spawnSync(program ?? '', ['--help'], { stdio: 'ignore' }).error === undefined,
);
/** As on a host whose `timeout` is not that of coreutils. */
const WITHOUT_TIMEOUT = 'timeout() { return 127; }\n';

function run(script: string, [program = 'sh', ...args]: readonly string[]) {
  const ran = spawnSync(program, [...args, '-s'], {
    input: script,
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PODCAUSE_NODE: 'heron-1' },
    timeout: 50_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: ran.status, out: ran.stdout, errors: ran.stderr };
}

describe.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('the script in %s', (_name, shell) => {
  it('runs to its end on this machine, with a prompt before each look, and says nothing on its error output', () => {
    const { code, out, errors } = run(hostScript(), shell);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('\nroot@heron-1:~# cat /etc/os-release\n');
    expect(out).toMatch(/\nroot@heron-1:~# uname -a\nLinux heron-1 \d/);
    expect(out).toMatch(/\nkernel\.pid_max = \d+\n/);
  }, 120_000);

  it.each([
    ['with timeout', ''],
    ['without timeout', WITHOUT_TIMEOUT],
  ])(
    'ends a command that hangs, with what it started, %s',
    (_with, before) => {
      const probes = [
        look('hangs', 'host-state', 'hangs', { runs: 'echo begins; { sleep 300; echo never; }; true', seconds: 1 }),
        look('after', 'host-state', 'after', { runs: 'echo goes on' }),
      ];
      const { out, errors, code } = run(before + hostScript(probes), shell);
      expect(out).toBe('\nroot@heron-1:~# hangs\nbegins\n\npodcause: no answer within 1 s\n\nroot@heron-1:~# after\ngoes on\n');
      expect([errors, code]).toEqual(['', 0]);
    },
    60_000,
  );

  it('keeps one end of what is too long', () => {
    const probes = [
      look('head', 'host-state', 'head', { runs: 'seq 1 100000', bytes: 4 }),
      look('tail', 'host-state', 'tail', { runs: 'seq 1 100000', bytes: 7, keep: 'tail' }),
    ];
    expect(run(hostScript(probes), shell).out).toBe('\nroot@heron-1:~# head\n1\n2\n\nroot@heron-1:~# tail\n100000\n');
  });

  it('shows the file it read, also one with strange signs in its name', () => {
    writeFileSync(join(folder, "a $HOME `id` 'b'.conf"), 'first\n');
    const probes = [file('files', 'host-state', '$file', { each: [`${folder}/*.conf`, `${folder}/none`] })];
    expect(run(hostScript(probes), shell).out).toBe(`\nroot@heron-1:~# cat ${folder}/a $HOME \`id\` 'b'.conf\nfirst\n`);
  });

  it('prints no secret', () => {
    const secret = ['-----BEGIN RSA PRIVATE KEY-----', 'c2VjcmV0', '-----END RSA PRIVATE KEY-----'];
    const lines = [
      ...secret,
      'Environment="HTTPS_PROXY=http://joan:hush@proxy.example:3128"',
      '  password = "hush"',
      '"auth": "am9hbjpodXNo",',
      'Authorization: Bearer abcdefghijklmnop',
      'kept',
    ];
    writeFileSync(join(folder, 'secrets.txt'), `${lines.join('\n')}\n`);
    const { out } = run(hostScript([file('secrets', 'host-state', `${folder}/secrets.txt`)]), shell);
    expect(out.split('\n').slice(2)).toEqual([
      'Environment="HTTPS_PROXY=http://[redacted]@proxy.example:3128"',
      '  password = "[redacted]"',
      '"auth": "[redacted]",',
      'Authorization: Bearer [redacted]',
      'kept',
      '',
    ]);
  });
});

describe('the probes', () => {
  it('have names of their own and stay within reason', () => {
    expect(new Set(HOST_PROBES.map(({ id }) => id)).size).toBe(HOST_PROBES.length);
    for (const { seconds, bytes } of HOST_PROBES) expect(seconds <= 15 && bytes <= 1024 * 1024).toBe(true);
  });

  it('only read', () => {
    const writes =
      /(?:^|[;|&({]\s*|\s)(?:rm|mv|cp|mkdir|touch|chmod|chown|tee|kill|mount|umount|modprobe|insmod|setenforce|swapoff|swapon|iptables-restore|dd)\s|systemctl (?:start|stop|restart|reload|enable|disable|mask)|sysctl -w|[^2&]>(?!\/dev\/null)\s*["$/\w]/;
    for (const probe of HOST_PROBES) {
      // Loops print into variables and pipes only; what is read from is behind `<`.
      const text = `${probe.when ?? ''}\n${probe.runs ?? probe.shows}`.replaceAll('>/dev/null 2>&1', '').replaceAll('2>&1', '');
      expect.soft(writes.exec(text.replaceAll('2>/dev/null', ''))?.[0], probe.id).toBeUndefined();
    }
  });

  it('read no kubeconfig, no key and no environment of a process', () => {
    expect(hostScript()).not.toMatch(/\.kube\/|admin\.conf|kubelet\.conf(?!\.d)|\/environ\b|\.key\b|secrets\/kubernetes\.io/);
  });

  it('leave nothing behind', () => {
    const before = readdirSync(folder).sort();
    run(hostScript(), ['/bin/sh']);
    expect(readdirSync(folder).sort()).toEqual(before);
  }, 120_000);
});

describe('the name of the node', () => {
  it('is the one given, else the host’s', () => {
    const script = hostScript([look('name', 'host-state', 'true')]);
    const { PODCAUSE_NODE: _, ...environment } = process.env;
    const own = execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8', env: environment });
    expect(own).toMatch(/^\nroot@[a-z0-9.-]+:~# true\n$/);
    const odd = execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8', env: { ...environment, PODCAUSE_NODE: '$(id);x' } });
    expect(odd).toBe(own);
  });
});
