import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inFolder } from '../../src/collect/testing-archives.ts';
import { widthOf } from '../../src/render/terminal/pad.ts';
import { builtCli, execute, podcause, root } from './built-cli.ts';
import { evidenceOf } from './cases.ts';

const STORY = evidenceOf('docker-supplied-containerd');
const ESC = '\u001b';
const WIPED = `\r${ESC}[K`;
/** Commands are never broken: whoever copies one must get it whole. */
const COMMAND =
  /^\s{4,}(?:\$ )?(?:sudo|test|kubectl|systemctl|journalctl|containerd|crictl|docker|sed|grep|find|cat|mkdir|ln|cp|mv|apt|dnf|yum|zypper)\b/;

function tooWide(text: string, width: number): string[] {
  return text.split('\n').filter((line) => widthOf(line) > width && !COMMAND.test(line));
}

const hasTerminal = ['/usr/bin', '/bin'].some((folder) => readdirSync(folder).includes('script'));

/** Runs in a terminal of that many columns, which `script` makes; its output is standard output and standard error together. */
async function onTerminal(command: string, env: Record<string, string> = {}, columns = 90) {
  const cli = await builtCli();
  const inner = `stty cols ${columns}; ${command.replaceAll('podcause', `'${process.execPath}' '${cli}'`)}`;
  return execute('script', ['-qec', inner, '/dev/null'], { env: { TERM: 'xterm-256color', ...env } });
}

describe.concurrent('a pipe', () => {
  it('gets no colours and 80 columns', async () => {
    const { stdout, bytes } = await podcause([STORY, '--verbose']);
    expect(bytes.includes(0x1b)).toBe(false);
    expect(tooWide(stdout, 80)).toEqual([]);
  });

  it('gets colours when asked, unless they are refused', async () => {
    const [forced, refused, flag, off] = await Promise.all([
      podcause(['demo'], { env: { FORCE_COLOR: '1' } }),
      podcause(['demo'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }),
      podcause(['demo', '--no-color'], { env: { FORCE_COLOR: '1' } }),
      podcause(['--no-color', 'causes'], { env: { FORCE_COLOR: '1' } }),
    ]);
    expect(forced.bytes.includes(0x1b)).toBe(true);
    for (const { code, bytes } of [refused, flag, off]) {
      expect(code).toBe(0);
      expect(bytes.includes(0x1b)).toBe(false);
    }
  });

  it('is as wide as one says', async () => {
    const [byFlag, byVariable] = await Promise.all([podcause([STORY, '-w', '60']), podcause([STORY], { env: { COLUMNS: '60' } })]);
    expect(tooWide(byFlag.stdout, 60)).toEqual([]);
    expect(tooWide(byVariable.stdout, 60)).toEqual([]);
    expect(tooWide(byFlag.stdout, 50).length).toBeGreaterThan(3);
  });
});

describe.skipIf(!hasTerminal)('a terminal', { concurrent: true }, () => {
  it('gets colours and its own width, and no progress for a quick run', async () => {
    const { stdout } = await onTerminal(`podcause ${STORY}`, {}, 64);
    expect(stdout).toContain(`${ESC}[1m`);
    expect(stdout).not.toContain('reading ');
    const plain = stdout.replaceAll('\r', '').replaceAll(new RegExp(`${ESC}\\[[\\d;]*m`, 'g'), '');
    expect(tooWide(plain, 64)).toEqual([]);
    expect(tooWide(plain, 56).length).toBeGreaterThan(3);
  });

  it('gets none against NO_COLOR, --no-color or a dumb terminal', async () => {
    const runs = await Promise.all([
      onTerminal('podcause demo', { NO_COLOR: '1' }),
      onTerminal('podcause demo --no-color'),
      onTerminal('podcause demo', { TERM: 'dumb' }),
    ]);
    for (const { stdout } of runs) {
      expect(stdout).toContain('because');
      expect(stdout).not.toContain(ESC);
    }
  });

  it('is told how to end a paste', async () => {
    const { stdout } = await onTerminal('podcause -');
    expect(stdout).toContain('end it with Ctrl-D');
    expect(stdout).toContain('stdin, empty');
  });

  it('sees progress on stderr once a run takes a second, and it is wiped again', async () => {
    await inFolder(async (folder) => {
      const slow = 'for i in 1 2 3; do echo line $i; sleep 0.6; done';
      const { stdout } = await onTerminal(`cd '${folder}'; mkfifo slow; (${slow}) > slow & podcause slow '${root}${STORY}' > /dev/null`);
      const [before = '', after = ''] = stdout.split('reading ');
      expect(before.endsWith(WIPED)).toBe(true);
      expect(after).toMatch(/^\d+: \S/);
      expect(stdout.trimEnd().endsWith(WIPED)).toBe(true);
    });
  });
});
