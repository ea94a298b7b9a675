import { describe, expect, it } from 'vitest';
import { catalogue } from '../causes/catalogue.ts';
import { explain, GLOSSARY } from './explain.ts';

const explained = (text: string) => explain(text, catalogue);

describe('explain', () => {
  it.each([
    ['CrashLoopBackOff', 'CrashLoopBackOff'],
    ['crashloopbackoff', 'CrashLoopBackOff'],
    ['Init:2/5', 'Init:…/…'],
    ['Init:0/1', 'Init:…/…'],
    ['SandboxChanged', 'SandboxChanged'],
    ['x509: certificate has expired or is not yet valid', 'x509'],
  ])('knows the word %s', async (text, term) => {
    const { entries, alike } = await explained(text);
    expect(entries[0]?.terms[0]).toBe(term);
    expect(alike).toBeGreaterThan(0);
  });

  it.each([
    ['137', 'exit-137'],
    ['exit code 139', 'exit-139'],
    ['signal 9', 'signal-SIGKILL'],
    ['HTTP 503', 'http-503'],
  ])('knows the code %s', async (text, id) => {
    expect((await explained(text)).codes.map((one) => one.id)).toContain(id);
  });

  it('finds the causes that know a line, and the error inside it', async () => {
    const line =
      'Failed to pull image "reg.test/a:b": rpc error: code = NotFound desc = failed to pull and unpack image "reg.test/a:b": failed to resolve reference "reg.test/a:b": reg.test/a:b: not found';
    const { known, innermost } = await explained(line);
    expect(known[0]?.cause.id).toBe('image-not-found');
    expect(innermost).toBe('reg.test/a:b: not found');
  });

  it('puts causes that speak of the word first', async () => {
    const { behind } = await explained('SandboxChanged');
    expect(behind.slice(0, 3).map(({ area }) => area)).not.toContain('app');
    expect(behind[0]?.id).toContain('cgroup-driver');
  });

  it('lists only what can be read: those that speak of the word, or few', async () => {
    for (const word of ['CrashLoopBackOff', 'Init:0/1', 'FailedMount', 'NotReady', 'ErrImagePull']) {
      const { behind, alike } = await explained(word);
      expect(behind.length, word).toBeLessThanOrEqual(Math.max(24, alike / 4));
    }
    expect((await explained('CrashLoopBackOff')).behind).toEqual([]);
  });

  it('takes a word of a sentence for a status only where it is written as one', async () => {
    const { entries } = await explained('x509: certificate signed by unknown authority');
    expect(entries.map(({ terms }) => terms[0])).toEqual(['x509']);
  });

  it('leads from an exit code to the causes that name it', async () => {
    expect((await explained('exit code 137')).behind.map(({ id }) => id)).toContain('oom-container-limit');
  });

  it('says nothing of what it does not know', async () => {
    expect(await explained('hello world')).toMatchObject({ entries: [], codes: [], known: [], behind: [] });
  });
});

describe('the glossary', () => {
  it('explains every word once', () => {
    const terms = GLOSSARY.flatMap((entry) => entry.terms);
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  it('leads from every symptom it names to a cause', () => {
    for (const symptom of GLOSSARY.flatMap((entry) => entry.symptoms ?? [])) {
      expect(catalogue.some(({ explains }) => explains.includes(symptom))).toBe(true);
    }
  });
});
