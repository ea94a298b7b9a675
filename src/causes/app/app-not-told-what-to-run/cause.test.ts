import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (row: string) => `$ kubectl -n forge get pods
NAME                     READY   STATUS             RESTARTS      AGE
anvil-5c7d8f9b6d-q8z4n   ${row}
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)   4m';
const log = (words: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${words}\n`;
const help = `Anvil - shapes things

Usage:

anvil.sh [OPTIONS] [COMMAND]

Options:
-h, --help   This help message.

Commands:
  start      Start the server.`;
const cobra = `A forge in a box.

Usage:
  anvil [command]

Flags:
  -h, --help   help for anvil`;

testCause(cause, {
  finds: {
    'a help text of picocli': { evidence: { 'pods.txt': pods(CRASHING), 'anvil.log': log(help) }, confidence: 'probable' },
    'a help text without its heading': {
      evidence: { 'pods.txt': pods(CRASHING), 'anvil.log': log('anvil [global options] command') },
      confidence: 'possible',
    },
    'last words of cobra': { evidence: { 'pods.txt': pods(CRASHING), 'anvil.log': log(cobra) }, confidence: 'probable' },
  },
  rulesOut: {
    'a complaint above its usage': {
      evidence: { 'pods.txt': pods(CRASHING), 'anvil.log': log(`Error: unknown command "strt" for "anvil"\n${help}`) },
      by: 'complaint',
    },
    'the restarts are over': {
      evidence: { 'pods.txt': pods('1/1     Running            6 (30d ago)   90d'), 'anvil.log': log(help) },
      by: 'over',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0             9d'), 'anvil.log': log(help) }, by: 'well' },
  },
  asks: { 'what it wrote, and how the pod is doing': { evidence: { 'anvil.log': log(help) }, for: 'pod-status' } },
});

describe('app-not-told-what-to-run and tools', () => {
  it.each(['Usage:\n  helm [command]\n\nFlags:', 'kubectl exec [POD] [COMMAND] is DEPRECATED'])('does not speak of: %s', async (text) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
