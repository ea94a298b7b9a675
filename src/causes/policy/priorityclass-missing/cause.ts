import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const missing = line(
  ['no PriorityClass with name', 'no priority class with name'],
  ['object-events', 'workload', 'control-plane-log', 'objects'],
  /(?:pods [\\"'“”]{1,8}(?<pod>[a-z0-9.-]{1,253})[\\"'“”]{1,8} is forbidden: )?no Priority ?Class with name [\\"'“”]{0,8}(?<class>[^\s\\"'“”]{1,253})[\\"'“”]{0,8} was found/i,
);
const notFound = line(
  ['priorityclasses.scheduling.k8s.io', 'priorityclass.scheduling.k8s.io'],
  ['objects', 'control-plane-log', 'container-log'],
  /priorityclass(?:es)?\.scheduling\.k8s\.io [\\"'“”]{1,8}(?<class>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} not found/,
);
// No channel: the API server prints it in the same breath as a different refusal.
const reserved = line(
  ['pods with system', 'is not permitted in', 'the integer value of priority'],
  [],
  /pods with \S{1,253} priorityClass is not permitted in \S{1,253} namespace|the integer value of priority \(-?\d+\) must not be provided/,
);
const SYSTEM = /^system-(?:cluster|node)-critical$/;

export const cause = defineCause({
  id: 'priorityclass-missing',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'PriorityClass missing',
    title: 'The pods of {name} name a PriorityClass that does not exist: {class}',
    why: 'spec.priorityClassName of the pod template is {class}; the API server looks it up when a pod is created, finds no such PriorityClass in the cluster and refuses the pod. The workload itself is accepted, so it just has no pods, and only FailedCreate events tell.',
  },

  clues: {
    missing: proves(missing),
    notFound: supports(notFound, ({ fields }) => !SYSTEM.test(fields['class'] ?? '')),
    reserved: excludes(reserved),
  },
  says: {
    missing: 'the API server says: no PriorityClass with name {class} was found',
    notFound: 'the PriorityClass {class} is asked for and not found',
    reserved: 'the class exists but may not be used in this namespace',
  },
  slots: (place, { missing: absent, notFound: asked }) => ({
    ...namesOf(place),
    name: place.name === 'the workload' && absent?.fields['pod'] !== undefined ? absent.fields['pod'].replace(/-$/, '') : place.name,
    class: absent?.fields['class'] ?? asked?.fields['class'] ?? 'CLASS',
  }),

  fixes: [
    {
      say: 'Create the PriorityClass {class}, or name one that exists',
      risk: 'restarts-pods',
      steps: [
        { say: 'those that exist', run: 'kubectl get priorityclasses', on: 'cluster' },
        {
          say: 'create it with the value it has in the cluster the manifest comes from',
          run: 'kubectl create priorityclass {{class}} --value=1000000 --description="set by hand, see the manifest"',
          on: 'cluster',
        },
        { say: 'or correct or remove priorityClassName in the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'workload-set', field: 'priorityClassName', value: { ask: 'priorityClass', says: 'a PriorityClass that exists' } }],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: ['kubernetes plugin/pkg/admission/priority/admission.go'],
});
