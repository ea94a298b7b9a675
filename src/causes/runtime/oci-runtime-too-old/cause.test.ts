import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = 'Warning  Failed  94s (x46 over 11m)  kubelet  Error: container create failed: unknown version specified\n';
const crun = (version: string) =>
  `$ crun --version\ncrun version ${version}\ncommit: f8a096be060b22ccd3d5f3ebe44108517fbf6c30\nspec: 1.0.0\n`;

testCause(cause, {
  finds: {
    'the event': { evidence: { 'events.txt': event }, confidence: 'probable' },
    'with the version': { evidence: { 'events.txt': event, 'crun.txt': crun('1.8.1') }, confidence: 'probable' },
  },
  rulesOut: { 'a new crun': { evidence: { 'events.txt': event, 'crun.txt': crun('1.18.2') }, by: 'recent' } },
  asks: { 'the versions': { evidence: { 'events.txt': event }, for: 'host-versions' } },
});
