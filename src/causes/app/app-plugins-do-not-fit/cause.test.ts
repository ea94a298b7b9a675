import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (row: string) => `$ kubectl -n forge get pods
NAME      READY   STATUS                  RESTARTS      AGE
anvil-0   ${row}
`;
const log = (words: string) => `$ kubectl -n forge logs anvil-0 -c init\n${words}\n`;
const found = (words: string) => ({
  evidence: { 'pods.txt': pods('0/2     Init:CrashLoopBackOff   8 (69s ago)   7m'), 'init.log': log(words) },
  confidence: 'certain' as const,
});
const pinned =
  'Multiple plugin prerequisites not met:\nPlugin hammer:1.31.3 (via tongs:1087.v16065d26) depends on bellows:1414.v878271fc, but there is an older version defined on the top level - bellows:1.55.1,';

testCause(cause, {
  finds: {
    'a plugin that is pinned': { ...found(pinned), place: 'container init of StatefulSet forge/anvil' },
    'only the heading of the list': found('Multiple plugin prerequisites not met:'),
    'a Jenkins that is too old': found(
      'Plugin hammer:2.4 (via tongs:1.8) requires a greater version of Jenkins (2.387.3) than 2.332.1 in /usr/share/jenkins.war',
    ),
    'another version of Elasticsearch': found(
      'java.lang.IllegalArgumentException: Plugin [analysis-forge] was built for Elasticsearch version 7.17.1 but version 8.2.0 is running',
    ),
    'another version of SonarQube': found(
      'java.lang.IllegalStateException: Plugin Forge Rules [forge] requires at least Sonar Plugin API version 10.1 (current: 9.17)',
    ),
    'a plugin that is not there': found(
      "Error: error loading plugin schemas: on plugin 'forge-auth': forge-auth plugin is enabled but not installed",
    ),
  },
  rulesOut: {
    'the restarts are over': {
      evidence: { 'pods.txt': pods('2/2     Running                 6 (30d ago)   90d'), 'init.log': log(pinned) },
      by: 'over',
    },
    'it runs by now': {
      evidence: { 'pods.txt': pods('2/2     Running                 0             9d'), 'init.log': log(pinned) },
      by: 'well',
    },
  },
  asks: { 'how the pod is doing': { evidence: { 'init.log': log(pinned) }, for: 'pod-status' } },
});
