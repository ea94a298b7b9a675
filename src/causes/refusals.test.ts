import { describe, expect, it } from 'vitest';
import { diagnose } from '../diagnose.ts';
import type { Fact } from '../model/facts.ts';
import { accountsForAll, leadsAmongOthers, othersIn } from './refusals.ts';

const OWN = /Insufficient (?!pods)/;
const TAINT = 'node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }';

function refusal(nodes: number | undefined, ...counted: readonly [count: number, text: string][]): Fact<'pod.unschedulable'> {
  const most = Math.max(...counted.filter(([, text]) => text !== TAINT).map(([count]) => count));
  return {
    kind: 'pod.unschedulable',
    about: 'Pod/press/layout-0',
    cited: [],
    recent: true,
    reasons: counted.map(([count, text]) => ({ count, text, leads: text !== TAINT && count === most })),
    ...(nodes !== undefined ? { nodes } : {}),
  };
}

describe('a reason accounts for all nodes', () => {
  it.each<[string, Fact<'pod.unschedulable'>, boolean]>([
    ['where it is the only one', refusal(3, [3, 'Insufficient cpu']), true],
    ['where the rest are control planes', refusal(4, [1, TAINT], [3, 'Insufficient cpu']), true],
    ['where its kind counts each node twice', refusal(2, [2, 'Insufficient cpu'], [2, 'Insufficient memory']), true],
    ['where another one holds back nodes of its own too', refusal(3, [3, 'Insufficient cpu'], [1, 'Too many pods']), true],
    ['not where some nodes have another one', refusal(5, [2, 'node(s) were unschedulable'], [3, 'Insufficient cpu']), false],
    ['not where the number of nodes is not told', refusal(undefined, [1, 'Too many pods'], [3, 'Insufficient cpu']), false],
    ['not where another one leads', refusal(5, [3, 'node(s) were unschedulable'], [2, 'Insufficient cpu']), false],
  ])('%s', (_, fact, all) => expect(accountsForAll(OWN)(fact)).toBe(all));

  it('and else leads among others, which are told without the control planes', () => {
    const mixed = refusal(6, [1, TAINT], [2, 'node(s) were unschedulable'], [3, 'Insufficient cpu']);
    expect(leadsAmongOthers(OWN)(mixed)).toBe(true);
    expect(othersIn(mixed, OWN)).toBe('2 node(s) were unschedulable');
    expect(leadsAmongOthers(OWN)(refusal(3, [3, 'Insufficient cpu']))).toBe(false);
  });
});

describe('a pod refused for mixed reasons', () => {
  const describePod = (message: string) =>
    `Name:         layout-0\nNamespace:    press\nNode:         <none>\nStatus:       Pending\nEvents:\n  Type     Reason            Age   From               Message\n  ----     ------            ----  ----               -------\n  Warning  FailedScheduling  15s   default-scheduler  ${message}\n`;
  const answersTo = async (message: string) => (await diagnose([{ name: 'pod.txt', text: describePod(message) }])).incidents;

  it.each([
    '2 Insufficient cpu, 3 node(s) had untolerated taint {dedicated: batch}',
    '2 Insufficient cpu, 3 node(s) had untolerated taint',
    "1 node(s) were unschedulable, 4 node(s) didn't match Pod's node affinity/selector",
    '2 Too many pods, 3 node(s) had volume node affinity conflict',
  ])('gets no certain answer, and is told all reasons: %s', async (reasons) => {
    const [first, ...more] = await answersTo(`0/5 nodes are available: ${reasons}.`);
    expect(first?.confidence).toBe('probable');
    expect(more.map(({ confidence }) => confidence)).not.toContain('certain');
    const said = first?.because.map(({ says }) => says).join('\n');
    expect(said).toContain(reasons.split(', ')[0]);
  });
});
