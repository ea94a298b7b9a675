import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/legacy/mail:0.3';
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned legacy/mail-0 to cob-1
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "${IMAGE}": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "${IMAGE}"
`;
const version20 = `failed to pull and unpack image "${IMAGE}": failed to get converter for "${IMAGE}": Pulling Schema 1 images have been deprecated and disabled by default since containerd v2.0. As a workaround you may set an environment variable \`CONTAINERD_ENABLE_DEPRECATED_PULL_SCHEMA_1_IMAGE=1\`, but this will be completely removed in containerd v2.1.`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'StatefulSet legacy/mail',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const pods = (state: string) => `NAMESPACE   NAME     READY   STATUS    RESTARTS   AGE
legacy      mail-0   ${state}   0          7m
`;

testCause(cause, {
  finds: {
    'containerd 2.0': found(version20),
    'containerd 2.1': found(
      `failed to pull and unpack image "${IMAGE}": not implemented: media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1, please rebuild the image as "application/vnd.docker.distribution.manifest.v2+json" or "application/vnd.oci.image.manifest.v1+json"`,
    ),
    Docker: found(
      'rpc error: code = Unknown desc = [DEPRECATION NOTICE] Docker Image Format v1 and Docker Image manifest version 2, schema 1 support is disabled by default and will be removed in an upcoming release.',
    ),
  },
  rulesOut: {
    'no such image': { evidence: { 'events.txt': events(`failed to resolve reference "${IMAGE}": ${IMAGE}: not found`) }, by: 'other' },
    'replaced since': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events(version20)}  Normal   Pulled     2s                 kubelet            Successfully pulled image "${IMAGE}" in 3.1s\n  Normal   Started    1s                 kubelet            Started container mail\n`,
      },
      by: 'stuck',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
