import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ansiblePlaybook } from './ansible.ts';
import { planHost } from './plan-host.ts';
import { hostScript } from './script.ts';
import { stateOf } from './testing-state.ts';

const ABOUT = { id: 'fix-1', title: 'A fix {{ lookup("pipe", "id") }}: "quoted"\n#', report: 'r1', who: 'me' };

function plansFor(...nodes: readonly string[]) {
  return nodes.map((node) => planHost([{ do: 'units', action: 'restart', units: ['containerd'] }], stateOf({ node })));
}

function read(text: string) {
  return parse(text, { customTags: [{ tag: '!unsafe', resolve: (value: string) => ({ unsafe: value }) }] });
}

const ANSIBLE = 'ansible-playbook';
const hasAnsible = spawnSync(ANSIBLE, ['--version']).status === 0;

describe('a playbook', () => {
  const plans = plansFor('worker-1', 'worker-2', 'worker-3');
  const text = ansiblePlaybook(plans, { ...ABOUT, waveSize: 2 });

  it('runs on each host its own script, one host first, and stops at a failure', () => {
    const [play, ...others] = read(text);
    expect(others).toEqual([]);
    expect(play).toMatchObject({ hosts: ['worker-1', 'worker-2', 'worker-3'], serial: [1, 2], any_errors_fatal: true, become: true });
    for (const plan of plans) expect(play.vars.podcause_scripts[plan.node]).toEqual({ unsafe: hostScript(plan, ABOUT) });
    expect(play.tasks[0].block.at(-1)).toMatchObject({
      'ansible.builtin.command': { argv: ['/bin/sh', '{{ podcause_file.path }}', '{{ podcause_mode }}'] },
      changed_when: "'@podcause end already' not in podcause_run.stdout",
    });
    expect(play.vars.podcause_mode).toBe('apply');
  });

  it('lets Ansible fill in nothing of what came from a report', () => {
    const [play] = read(text);
    expect(play.name).toBe('A fix  lookup("pipe", "id") : "quoted" #');
    expect(play.vars.podcause_scripts['worker-1'].unsafe).toContain('{{ lookup');
  });

  it('names no host that Ansible would take for a pattern', () => {
    for (const node of ['all:!x', '~.*', 'a,b', '*', '']) expect(() => ansiblePlaybook(plansFor(node), ABOUT)).toThrow(RangeError);
  });

  it.runIf(hasAnsible)('is one that Ansible reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'podcause-ansible-'));
    try {
      writeFileSync(join(folder, 'play.yml'), text);
      const { status, stderr } = spawnSync(ANSIBLE, ['-i', 'worker-1,worker-2,worker-3', '--syntax-check', 'play.yml'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
