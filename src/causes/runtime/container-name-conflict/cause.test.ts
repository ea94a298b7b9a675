import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const docker =
  'Error: Error response from daemon: Conflict. The container name "/k8s_front_front-84b6c7d9f-p9x2v_web_0d9b7a52_3" is already in use by container "5e2b1c77aa10b4cd". You have to remove (or rename) that container to be able to reuse that name.';
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;

testCause(cause, {
  finds: {
    Docker: found(docker),
    'an old Docker': found(
      'Error: failed to create container: Error response from daemon: Conflict. The name "/k8s_front_front-84b6c7d9f-p9x2v_web_0d9b7a52_3" is already in use by container 5e2b1c77aa10b4cd. You have to remove (or rename) that container',
    ),
    'CRI-O, still at it': found(
      'Error: Kubelet may be retrying requests that are timing out in CRI-O due to system load. Currently at stage container storage creation: context deadline exceeded: error reserving ctr name k8s_front_front-84b6c7d9f-p9x2v_web_0d9b7a52_3 for id 5e2b1c77aa10: name is reserved',
    ),
    containerd: found(
      'Error: failed to reserve container name "front_front-84b6c7d9f-p9x2v_web_0d9b7a52_3": name "front_front-84b6c7d9f-p9x2v_web_0d9b7a52_3" is reserved for "5e2b1c77aa10b4cd"',
    ),
    'a task folder is left over': found(
      'Error: failed to create containerd task: mkdir /run/containerd/io.containerd.runtime.v2.task/k8s.io/5e2b1c77aa10b4cd: file exists: already exists: unknown',
    ),
    'runc knows the id': found(
      'Error: Error response from daemon: OCI runtime create failed: container with id exists: 5e2b1c77aa10b4cd: unknown',
    ),
    'with the dead container in the listing': {
      evidence: {
        'events.txt': events(docker),
        'host.txt': `[root@pine-2 ~]# docker ps -a
CONTAINER ID   IMAGE          COMMAND       CREATED         STATUS         PORTS     NAMES
5e2b1c77aa10   9a1b2c3d4e5f   "/app/front"  2 hours ago     Dead                     k8s_front_front-84b6c7d9f-p9x2v_web_0d9b7a52-0000-4000-8000-000000000000_3
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the first try is still at it': {
      evidence: {
        'crio.log':
          'Mar 04 08:10:57 birch crio[539]: time="2026-03-04 08:10:57.835Z" level=warning msg="error reserving ctr name k8s_web_web-0_shop_0b1c_0 for id 924e0f70: name is reserved"\nMar 04 08:10:57 birch crio[539]: time="2026-03-04 08:10:57.836Z" level=info msg="Creation of container k8s_web_web-0_shop_0b1c_0 not yet finished. Currently at stage container storage creation. Waiting up to 5m59.9s for it to finish" id=0b1c\n',
      },
      by: 'underWay',
    },
    'the name of the sandbox': {
      evidence: {
        'events.txt': `${events(docker)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "front": name "front" is reserved for "77aa"\n`,
      },
      by: 'sandbox',
    },
  },
  asks: { 'what the runtime lists': { evidence: { 'events.txt': events(docker) }, for: 'runtime-state' } },
});
