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
    const { entries, behind } = await explained(text);
    expect(entries[0]?.terms[0]).toBe(term);
    expect(behind.length).toBeGreaterThan(0);
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
