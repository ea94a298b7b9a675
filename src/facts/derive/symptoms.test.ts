import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../parse/read-documents.ts';
import { createFactBase } from '../fact-base.ts';
import { deriveFacts } from './index.ts';

async function symptomsOf(text: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const { evidence } = await readDocuments([{ name: 'pods.txt', size: bytes.length, bytes }], [], {});
  const base = createFactBase(evidence);
  deriveFacts(base);
  return base.all('pod.symptom').map(({ symptom }) => symptom);
}

describe('pods the kubelet turned away or ended', () => {
  it.each([
    'UnexpectedAdmissionError',
    'NodeAffinity',
    'MatchNodeSelector',
    'NodeShutdown',
    'Shutdown',
    'Terminated',
    'Preempting',
    'SysctlForbidden',
    'TopologyAffinityError',
    'SMTAlignmentError',
    'VolumeAttachmentLimitExceeded',
    'OutOfcpu',
    'OutOfpods',
  ])('have failed: %s', async (status) => {
    expect(await symptomsOf(`NAME    READY   STATUS   RESTARTS   AGE\nweb-0   0/1     ${status}   0          14m\n`)).toEqual(['failed']);
  });
});
