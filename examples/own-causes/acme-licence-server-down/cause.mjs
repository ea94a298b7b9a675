import { defineCause, excludes, line, minutes, proves, supports } from 'podcause/cause';

// What our own billing service prints when it gets no licence. The literal finds the line, the pattern reads it.
const refused = line(
  'licence checkout failed',
  ['container-log'],
  /licence checkout failed: (?<server>[\w.-]{1,100}:\d{1,5}): (?<error>[\w ]{3,60})/,
);
const expired = line('licence expired on', ['container-log']);

export const cause = defineCause({
  id: 'acme-licence-server-down',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  // The symptoms of pods that this accounts for.
  explains: ['crash-loop', 'restarts', 'not-ready'],

  text: {
    name: 'Licence server is down',
    title: '{container} gets no licence: {server} does not answer ({error})',
    why: 'Billing asks the licence server at start and ends when it gets no licence. The server {server} did not answer: {error}.',
  },

  clues: {
    // `proves`: this line alone is enough. `supports` raises, `needs` must hold, `excludes` rules it out.
    refused: proves(refused),
    dependency: supports('container.terminated', ({ exitCode }) => exitCode === 77),
    expired: excludes(expired),
  },
  // One short sentence for each clue, as the report shows it.
  says: {
    refused: 'billing says that {server} refused it a licence: {error}',
    dependency: 'it ended with 77, its own code for "no licence"',
    expired: 'the server answered: the licence itself has expired',
  },
  // Values for the {slots}; every clue but a needed one may be missing.
  slots: (place, { refused: said }) => ({
    container: place.name,
    server: said?.fields['server'] ?? 'the licence server',
    error: said?.fields['error'] ?? 'no answer',
  }),

  fixes: [
    {
      say: 'Start the licence server again',
      risk: 'restarts-pods',
      steps: [
        { say: 'see whether it runs', run: 'kubectl -n licences get pods', on: 'cluster' },
        { say: 'restart it', run: 'kubectl -n licences rollout restart deployment licence-server', on: 'cluster' },
      ],
      verified: 'billing starts and stays up',
    },
  ],
  verify: { quietForMinutes: minutes(10) },
  sources: ['runbook: billing, section 4'],
});
