import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    Django: found("Unknown command: 'migrat'. Did you mean migrate?\nType 'manage.py help' for usage."),
    Symfony: found('  Command "anvil:work" is not defined.'),
    rake: found("Don't know how to build task 'db:forge' (See the list of available tasks with `rake --tasks`)"),
    pflag: found('Error: unknown flag: --metrics-bind-address\nUsage:\n  manager [flags]'),
    'Go flag': found('flag provided but not defined: -log-level\nUsage of /manager:'),
    argparse: found('serve.py: error: unrecognized arguments: --workers-count 4'),
    Java: found("Unrecognized VM option 'MaxPermSize=512m'"),
    'a value': found('invalid argument "yes" for "--replicas" flag: strconv.ParseInt'),
    Traefik: found('command traefik error: failed to decode configuration from flags: field not found, node: entrypoint'),
    clap: found("error: unexpected argument '--foo' found"),
  },
  rulesOut: {
    'a program of the control plane': {
      evidence: {
        'log.txt': '$ kubectl -n kube-system logs kube-scheduler-cp-1 --previous\nError: unknown flag: --policy-config-file\n',
      },
      by: 'ofControlPlane',
    },
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('Error: unknown flag: --metrics-bind-address'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('Error: unknown flag: --metrics-bind-address'),
      },
      by: 'over',
    },
    'kubectl says it': {
      evidence: { 'pods.txt': listing(), 'log.txt': log("error: unknown flag: --prune-all\nSee 'kubectl apply --help' for usage.") },
      by: 'ofTool',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': 'Error: unknown flag: --metrics-bind-address\n' }, for: 'pod-status' } },
});

describe('app-argument-unknown and programs of the cluster', () => {
  it.each(['Error: failed to parse kubelet flag: unknown flag: --network-plugin'])('does not speak of: %s', async (text) => {
    const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
