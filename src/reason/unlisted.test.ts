import { describe, expect, it } from 'vitest';
import { createFactBase } from '../facts/fact-base.ts';
import { objectId } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';
import { reason } from './reason.ts';

const claim = objectId('PersistentVolumeClaim', 'press', 'plates');
const cited = [{ doc: 'claim.txt', at: { lines: [9, 9] as const }, quote: 'ProvisioningFailed' }];

function said(level: 'fatal' | 'error'): Fact {
  const message = 'failed to provision volume: the pool tank is busy';
  return {
    kind: 'log.error',
    about: claim,
    cited,
    component: 'zfs.example.net',
    level,
    message,
    innermost: 'the pool tank is busy',
    count: 1,
    last: false,
    channel: 'object-events',
    ownVoice: false,
  };
}

function status(text: string): Fact {
  return { kind: 'object.status', about: claim, cited, status: text };
}

function titlesOf(...facts: Fact[]): string[] {
  const base = createFactBase({ facts, edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] });
  return reason([], base).incidents.map(({ title }) => title);
}

describe('an error alone about a claim', () => {
  it('is an answer where nothing tells that the claim got over it', () => {
    expect(titlesOf(said('error'))).toEqual(['zfs.example.net says: the pool tank is busy']);
    expect(titlesOf(said('error'), status('Released'))).toHaveLength(1);
  });

  it('is none once the claim is bound', () => {
    expect(titlesOf(said('error'), status('Bound'))).toEqual([]);
  });

  it('is one even then where it is fatal', () => {
    expect(titlesOf(said('fatal'), status('Bound'))).toHaveLength(1);
  });
});
