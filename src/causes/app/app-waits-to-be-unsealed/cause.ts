import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** What `vault status` prints, in a table or, from a probe, in one line. */
const status = line(
  ['Seal Type', 'Unseal Progress'],
  ['pod-events', 'container-log', 'objects'],
  /Initialized\s{1,30}(?<initialized>true|false)[\s\S]{0,40}?Sealed\s{1,30}true|Sealed\s{1,30}true[\s\S]{0,200}?Unseal Progress/,
);
const says = line(
  [
    'security barrier not initialized',
    'seal configuration missing, not initialized',
    'Vault is sealed',
    'stored unseal keys are supported, but none were found',
    'failed to unseal core',
  ],
  'container-log',
  /(?<error>security barrier not initialized|seal configuration missing, not initialized|Vault is sealed|stored unseal keys are supported, but none were found|failed to unseal core)/,
);
const opened = line(['vault is unsealed', 'post-unseal setup complete'], [], /vault is unsealed|post-unseal setup complete/);

export const cause = defineCause({
  id: 'app-waits-to-be-unsealed',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'other-trouble'],

  text: {
    name: 'Vault is sealed',
    title: '{container} runs, but its Vault is {state}: somebody must {act} it',
    why: 'Vault (and OpenBao) keeps its data encrypted and starts sealed: it answers nothing until it was initialised once and, after every start of the pod, unsealed with enough keys. Its readiness probe fails until then, by design. After a restart of pods or nodes each member must be unsealed again, unless auto-unseal (a key in a cloud KMS or another Vault) is set up and that key can be reached.',
  },

  clues: {
    status: proves(status),
    says: supports(says),
    opened: excludes(opened),
  },
  says: {
    status: 'vault status says: sealed',
    says: 'it says so itself: {error}',
    opened: 'it was unsealed since',
  },
  slots: (place, { status: table, says: said }) => {
    const fresh = table?.fields['initialized'] === 'false' || /not initialized/.test(said?.fields['error'] ?? '');
    return {
      ...namesOf(place),
      state: fresh ? 'not initialised yet' : 'still sealed',
      act: fresh ? 'initialise and unseal' : 'once more unseal',
      error: said?.fields['error'] ?? 'it is sealed',
    };
  },

  fixes: [
    {
      say: 'See the state of each member',
      risk: 'reads-only',
      steps: [{ say: 'for every pod of it', run: 'kubectl -n {{namespace}} exec POD -- vault status', on: 'cluster' }],
    },
    {
      say: 'Initialise it once (and keep the keys in a safe place), then unseal every member',
      risk: 'restarts-pods',
      steps: [
        { say: 'only where it was never initialised', run: 'kubectl -n {{namespace}} exec -ti POD -- vault operator init', on: 'cluster' },
        { say: 'as often as the threshold says', run: 'kubectl -n {{namespace}} exec -ti POD -- vault operator unseal', on: 'cluster' },
      ],
      verified: 'vault status shows Sealed false, and the pod is ready',
    },
    {
      say: 'Set up auto-unseal, so that restarts need nobody',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the seal stanza of its configuration',
          run: 'kubectl -n {{namespace}} get configmaps -o yaml | grep -n -A6 "seal "',
          on: 'cluster',
        },
      ],
      verified: 'a pod that is deleted becomes ready by itself',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'vault command/format.go (status), vault/core.go, vault/init.go',
    'vault-helm templates/server-statefulset.yaml (readinessProbe)',
  ],
});
