import { defineCause, excludes, minutes, needs, on, supports } from '../../define-cause.ts';

export const cause = defineCause({
  id: 'longhorn-deployer-waits-for-manager',
  area: 'storage',
  at: 'Pod',
  maturity: 'stable',
  explains: ['init-stuck'],
  effectOf: ['host-missing-iscsi-longhorn', 'longhorn-webhook-inaccessible', 'multipathd-grabs-volume'],
  wakesOn: [on('pod.symptom', { symptom: 'init-stuck' })],

  text: {
    name: 'Driver deployer waits for the manager',
    title: '{pod} waits in its init container until a longhorn-manager answers',
    why: 'The init container asks the manager API again and again and ends only when it answers. It is a consequence: once longhorn-manager runs, it goes on by itself.',
  },

  clues: {
    deployer: needs('pod.symptom', ({ about, symptom }) => symptom === 'init-stuck' && /\/longhorn-driver-deployer(?:-|$)/.test(about)),
    waiting: supports('pod.symptom', ({ about, symptom }) => symptom === 'init-stuck' && /\/longhorn-driver-deployer(?:-|$)/.test(about)),
    failsItself: excludes('log.error', ({ level, ownVoice }) => level === 'fatal' && ownVoice),
  },
  says: {
    deployer: 'it is the driver deployer of Longhorn, waiting in {status}',
    waiting: 'its init container does nothing but wait for the manager API',
    failsItself: 'the deployer fails with an error of its own',
  },
  slots: (place, { deployer }) => ({ pod: place.name, status: deployer.detail ?? 'Init:0/1' }),

  fixes: [
    {
      say: 'Repair longhorn-manager; nothing to do here',
      risk: 'reads-only',
      steps: [
        {
          say: 'see why the manager does not run',
          run: 'kubectl -n longhorn-system logs -l app=longhorn-manager --tail=20',
          on: 'cluster',
        },
      ],
    },
  ],
  verify: { quietForMinutes: minutes(10) },
  sources: ['longhorn chart, deployment-driver.yaml (init container wait-longhorn-manager)'],
});
