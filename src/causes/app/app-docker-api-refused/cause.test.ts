import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAME                 READY   STATUS             RESTARTS   AGE
image-lister-7t2mx   0/1     CrashLoopBackOff   6          9m
`;
const log = (client: string, least: string) =>
  `F1104 09:12:44.120031       1 main.go:41] cannot list images: Error response from daemon: client version ${client} is too old. Minimum supported API version is ${least}, please upgrade your client to a newer version\n`;

testCause(cause, {
  finds: {
    'a client older than the daemon serves': {
      evidence: { 'pods.txt': pods, 'image-lister-7t2mx.log': log('1.23', '1.24') },
      confidence: 'certain',
    },
    'with the version of Docker': {
      evidence: {
        'pods.txt': pods,
        'image-lister-7t2mx.log': log('1.41', '1.44'),
        'versions.txt': '$ docker --version\nDocker version 29.0.1, build 1a2b3c4\n',
      },
      confidence: 'certain',
    },
    'a client newer than the daemon': {
      evidence: {
        'pods.txt': pods,
        'image-lister-7t2mx.log':
          'Error response from daemon: client is newer than server (client API version: 1.44, server API version: 1.40)\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the adapter of the kubelet is refused': {
      evidence: {
        'pods.txt': pods,
        'image-lister-7t2mx.log': log('1.43', '1.44'),
        'cri-dockerd.log':
          'time="2026-01-04T09:12:44Z" level=fatal msg="failed to get docker version from dockerd: Error response from daemon: client version 1.43 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version"\n',
      },
      by: 'adapter',
    },
  },
  asks: {
    'the version of Docker': { evidence: { 'pods.txt': pods, 'image-lister-7t2mx.log': log('1.23', '1.24') }, for: 'host.version' },
  },
});
