import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTING, OUR_COLOURS } from '../../test/samples/acting.ts';
import { report } from '../../test/samples/build.ts';
import { cgroupReport, healthyReport, hostileReport, sampleReports, severalReport, undecidedReport } from '../../test/samples/reports.ts';
import type { Report } from '../model/report.ts';
import { inertLines } from './inert.ts';
import { widthOf } from './terminal/pad.ts';
import { renderTerminal, type TerminalOptions } from './terminal.ts';

const PLAIN: TerminalOptions = { width: 80, color: false, unicode: true, verbose: false };
const WIDTHS = [40, 55, 56, 60, 80, 100, 120];

function show(of: Report, options: Partial<TerminalOptions> = {}): string {
  return renderTerminal(of, { ...PLAIN, ...options });
}

function commandsOf(of: Report): Set<string> {
  const asks = [...of.incidents, ...of.undecided].flatMap((one) => one.asks.map((ask) => ask.command));
  const steps = of.incidents.flatMap((one) => one.fixes.flatMap((fix) => fix.steps.map((step) => step.command ?? '')));
  return new Set([...asks, ...steps].flatMap((command) => inertLines(command).split('\n')).map((line) => line.trim()));
}

describe.each(Object.entries(sampleReports))('the %s report', (name, sample) => {
  it.each([60, 80, 120])('looks as it should at %d columns', async (width) => {
    await expect(show(sample, { width })).toMatchFileSnapshot(`./__snapshots__/terminal/${name}-${width}.txt`);
  });

  it('looks as it should with everything shown', async () => {
    await expect(show(sample, { verbose: true })).toMatchFileSnapshot(`./__snapshots__/terminal/${name}-verbose.txt`);
  });

  it.each(WIDTHS)('stays within %d columns, but for commands', (width) => {
    const commands = commandsOf(sample);
    for (const verbose of [false, true]) {
      for (const unicode of [false, true]) {
        const wide = show(sample, { width, verbose, unicode })
          .split('\n')
          .filter((line) => widthOf(line) > width && !commands.has(line.trim()));
        expect(wide).toEqual([]);
      }
    }
  });

  it('prints every command it shows whole and alone on its line', () => {
    const lines = show(sample, { width: 40, verbose: true })
      .split('\n')
      .map((line) => line.trim());
    for (const command of commandsOf(sample)) expect(lines).toContain(command);
  });

  it('holds no escape, control or direction character without colour', () => {
    expect(show(sample, { verbose: true })).not.toMatch(ACTING);
  });

  it('holds only our own colours with colour', () => {
    expect(show(sample, { verbose: true, color: true }).replace(OUR_COLOURS, '')).not.toMatch(ACTING);
  });

  it('says the same with and without colour', () => {
    expect(show(sample, { color: true }).replace(OUR_COLOURS, '')).toBe(show(sample));
  });

  it('puts the answer into the first three lines', () => {
    const first = show(sample).split('\n').slice(0, 3).join('\n');
    expect(first).toMatch({ found: /CERTAIN|PROBABLE|POSSIBLE/, undecided: /not known yet/, healthy: /nothing is wrong/ }[sample.verdict]);
  });

  it('ends with one line break and has no trailing spaces', () => {
    expect(show(sample)).toMatch(/[^\n]\n$/);
    expect(show(sample)).not.toMatch(/ \n/);
  });
});

describe('an incident', () => {
  const text = show(cgroupReport);

  it('has what is wrong and how sure that is on one line', () => {
    expect(text.split('\n')[2]).toMatch(/^● kubelet and containerd disagree on the cgroup driver +PROBABLE$/);
  });

  it('marks what was only told', () => {
    expect(text).toMatch(/the node was set up last week \(as told\) +describe\.txt:1/);
  });

  it('shows where a claim stands, how often it was seen, and the quote without its stamps', () => {
    expect(text).toMatch(/three unrelated workloads on one node restart +kubelet\.log:2,4,6 \+16\n +"Error syncing pod, skipping"/);
  });

  it('shows two asks, and all of them with --verbose', () => {
    expect(text).not.toContain('pgrep -a kubelet');
    expect(show(cgroupReport, { verbose: true })).toContain('pgrep -a kubelet');
  });

  it('opens the second fix only when asked to', () => {
    expect(text).not.toContain('kubectl uncordon');
    expect(show(cgroupReport, { incident: 1 })).toContain('kubectl uncordon worker-2');
  });

  it('keeps ruled out causes, coverage and cost for --verbose', () => {
    const verbose = show(cgroupReport, { verbose: true });
    for (const words of ['Memory limit too low', 'containerd-config', '131 facts', '1 secret']) {
      expect(text).not.toContain(words);
      expect(verbose).toContain(words);
    }
  });

  it('uses no other character than ASCII of its own', () => {
    expect(show(cgroupReport, { unicode: false, verbose: true })).toMatch(/^[ -~\n]*$/);
  });

  it('says when it seems over', () => {
    expect(show(severalReport, { incident: 5 })).toContain('it seems over: its newest pod is ready');
  });
});

describe('several incidents', () => {
  const text = show(severalReport);

  it('opens three and leaves the rest as heads with a hint', () => {
    expect(text).toContain('● 4 the claim data-ledger-0 asks for a storage class that is not there  PROBABLE\n● 5 relation');
    expect(text).toContain('--incident 4 opens one');
    expect(text).not.toContain('the provisioner finds no class fast-ssd');
  });

  it('opens one by number and no other', () => {
    const one = show(severalReport, { incident: 4 });
    expect(one).toContain('the provisioner finds no class fast-ssd');
    expect(one).not.toContain('indexer');
  });

  it('says which numbers there are when there is no such one', () => {
    expect(show(severalReport, { incident: 9 })).toContain('no incident 9; there are 5');
    expect(show(undecidedReport, { incident: 1 })).toContain('no incident 1; none was found');
  });

  it('tells the chain between the fault and its victims, and how many are not listed', () => {
    expect(text).toMatch(/leads to the kubelet evicts pods to free disk \(certain\)\n +images are removed and pulled again \(probable\)/);
    expect(text).toContain('+23 more');
  });

  it('puts the commands of host families side by side', () => {
    expect(text).toMatch(/2 {2}install logrotate\n +Debian, Ubuntu {2}sudo apt-get install -y logrotate\n +RHEL, Fedora {4}sudo dnf/);
  });

  it('ends with what could not be used', () => {
    expect(text).toMatch(/not read: core\.8841, a memory dump, not text\n/);
    expect(text).toMatch(/not recognised: notes\.txt:30-31, 2 lines \(\+2 more\)\n/);
    expect(show(severalReport, { verbose: true })).toMatch(/core\.8841, a memory dump, not text, 774\s+MiB/);
  });
});

describe('an undecided report', () => {
  const lines = show(undecidedReport).split('\n');

  it('says first that it is not known, then what tells most, then the second', () => {
    const order = ['not known yet', 'this tells most, on worker-3:', 'journalctl -k', 'then:', 'kubectl get events', 'may be'].map(
      (words) => lines.findIndex((line) => line.includes(words)),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBe(0);
    expect(lines.join('\n')).not.toContain('kubectl logs');
  });

  it('does not claim health where nothing was understood', () => {
    const nothing = report({ verdict: 'undecided', coverage: { ...healthyReport.coverage, documents: 1, pods: 0, nodes: 0, pieces: [] } });
    expect(show(nothing)).toMatch(/^\? not known: nothing in it was recognised/);
    expect(show(report({ verdict: 'undecided' }))).toMatch(/^\? nothing to look at/);
  });
});

describe('a healthy report', () => {
  it('says in one line what was looked at, and tells what happened before', () => {
    const [first, second, , earlier] = show(healthyReport).split('\n');
    expect(first).toMatch(/^✓ nothing is wrong with 42 pods and 3 nodes +2 files, 61 lines, 0\.1 s$/);
    expect(second).toBe('  read kubectl get pods and kubectl get nodes');
    expect(earlier).toMatch(/^ {2}earlier {2}kube-proxy-lk4zd restarted once 4 hours ago/);
  });
});

describe('widths', () => {
  it('are brought between 40 and 120, and default to 80', () => {
    expect(show(cgroupReport, { width: 10 })).toBe(show(cgroupReport, { width: 40 }));
    expect(show(cgroupReport, { width: 300 })).toBe(show(cgroupReport, { width: 120 }));
    expect(show(cgroupReport, { width: Number.NaN })).toBe(show(cgroupReport, { width: 80 }));
  });

  it('leave lines of a here-document flush left', () => {
    expect(show(hostileReport)).toMatch(/\ncat <<'EOF' \| grep '```'\n<script>.*\nEOF\n/);
  });
});

describe('any text', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('节', '，', ' ', '\u001b[', '\u202e', '👩‍🔧', 'x', '/', '#', '\n', '…', '\u0301'), maxLength: 300 }),
  );

  it('stays within the width and inert, wherever it stands', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 40, max: 120 }), fc.boolean(), (words, width, verbose) => {
        const text = show(filledWith(hostileReport, words), { width, verbose });
        expect(text).not.toMatch(ACTING);
        expect(text.split('\n').filter((line) => widthOf(line) > width)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

/** Every free text of a report replaced; commands are short, since they are never wrapped. */
function filledWith(of: Report, words: string): Report {
  const kept = new Set([
    'id',
    'placeId',
    'confidence',
    'symptoms',
    'risk',
    'verdict',
    'area',
    'channel',
    'extent',
    'tone',
    'on',
    'role',
    'cause',
    'through',
  ]);
  const fill = (value: unknown, key: string): unknown => {
    if (kept.has(key)) return value;
    if (key === 'command') return 'true';
    if (typeof value === 'string') return words;
    if (Array.isArray(value)) return value.map((inner) => fill(inner, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, name)]));
  };
  return fill(of, '') as Report;
}
