import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const THROUGH = "kubectl get --raw '/api/v1/nodes/elm-2/proxy/healthz?verbose'";
const ON_THE_NODE = 'curl -sSL http://localhost:10248/healthz';

describe('the health of a kubelet', () => {
  it.each([
    ['well, check by check', THROUGH, '[+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed', { answer: 'well' }],
    ['well, in a word', ON_THE_NODE, 'ok', { answer: 'well' }],
    [
      'one check fails',
      THROUGH,
      '[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed',
      { answer: 'unwell', failing: 'syncloop' },
    ],
    [
      'the same, as kubectl wraps it',
      THROUGH,
      'Error from server (InternalError): an error on the server ("[+]ping ok\\n[-]syncloop failed: reason withheld\\nhealthz check failed") has prevented the request from succeeding',
      { answer: 'unwell', failing: 'syncloop' },
    ],
    [
      'nobody listens',
      THROUGH,
      'Error from server: error trying to reach service: dial tcp 10.1.0.4:10250: connect: connection refused',
      { answer: 'refused' },
    ],
    [
      'nobody listens, on the node',
      ON_THE_NODE,
      'curl: (7) Failed to connect to localhost port 10248: Connection refused',
      { answer: 'refused' },
    ],
    [
      'no way there',
      THROUGH,
      'Error from server (ServiceUnavailable): error trying to reach service: dial tcp 10.1.0.4:10250: i/o timeout',
      { answer: 'no-answer' },
    ],
  ])('%s', (_, command, text, expected) => {
    const about = command === THROUGH ? 'Node/elm-2' : 'Node/?';
    expect(told(hear(text, { command }), 'kubelet.health')).toEqual([{ about, ...expected }]);
  });

  it('is nobody’s without the command, and not read from other words', () => {
    expect(told(hear('ok'), 'kubelet.health')).toEqual([]);
    expect(told(hear('Error from server (NotFound): nodes "elm-2" not found', { command: THROUGH }), 'kubelet.health')).toEqual([]);
  });
});
