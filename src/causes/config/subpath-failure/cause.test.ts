import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (message: string, reason = 'Failed') => `Name:           relay-7b9d5f6c8-m4x2k
Namespace:      chat
Node:           elm-2/10.7.0.12
Status:         Pending
Controlled By:  ReplicaSet/relay-7b9d5f6c8
Containers:
  relay:
    Image:          registry.example/chat/relay:1
    State:          Waiting
      Reason:       CreateContainerConfigError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason  Age               From     Message
  ----     ------  ----              ----     -------
  Warning  ${reason}  8s (x9 over 2m)   kubelet  ${message}
`;
const modern =
  'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volume-subpaths/conf/relay/0" to rootfs at "/etc/relay/relay.conf": create mount destination for /etc/relay/relay.conf mount: not a directory: unknown';
const older =
  'Error: failed to start container "relay": Error response from daemon: OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:545: container init caused: rootfs_linux.go:76: mounting "/var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volume-subpaths/conf/relay/0" to rootfs at "/etc/relay/relay.conf" caused: mount through procfd: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type';

testCause(cause, {
  finds: {
    'the kubelet cannot prepare it': {
      evidence: { 'describe.txt': event('Error: failed to prepare subPath for volumeMount "conf" of container "relay"') },
      confidence: 'certain',
      place: 'Deployment chat/relay',
      cites: ['describe.txt:16'],
      victims: 1,
    },
    'it cannot make the directory': {
      evidence: { 'describe.txt': event('Error: failed to create subPath directory for volumeMount "data" of container "relay"') },
      confidence: 'certain',
    },
    'an absolute path': {
      evidence: { 'describe.txt': event('Error: error SubPath `/srv/data` must not be an absolute path') },
      confidence: 'certain',
    },
    'file and directory mixed up, current runc': { evidence: { 'describe.txt': event(modern) }, confidence: 'certain' },
    'file and directory mixed up, Docker': { evidence: { 'describe.txt': event(older) }, confidence: 'certain' },
    'the ConfigMap was edited meanwhile': {
      evidence: {
        'paste.txt':
          'Error: failed to generate container "3d1f" spec: failed to generate spec: failed to stat "/var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volume-subpaths/conf/relay/0": stat /var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volume-subpaths/conf/relay/0: no such file or directory\n',
      },
      confidence: 'probable',
    },
    'Docker of 2018, with all its quotes': {
      evidence: {
        'describe.txt': event(
          'Error: failed to start container "relay": Error response from daemon: oci runtime error: container_linux.go:247: starting container process caused "process_linux.go:359: container init caused \\"rootfs_linux.go:53: mounting \\\\\\"/var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volume-subpaths/conf/relay/2\\\\\\" to rootfs \\\\\\"/var/lib/docker/overlay2/9a9b/merged\\\\\\" at \\\\\\"/var/lib/docker/overlay2/9a9b/merged/etc/relay/relay.conf\\\\\\" caused \\\\\\"not a directory\\\\\\"\\""',
        ),
      },
      confidence: 'certain',
    },
    'a whole volume onto a file': {
      evidence: {
        'describe.txt': event(
          'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11/volumes/kubernetes.io~configmap/conf" to rootfs at "/etc/relay/relay.conf": mount: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type',
        ),
      },
      confidence: 'certain',
    },
    'the path of a hostPath is not there for the kubelet': {
      evidence: { 'describe.txt': event('Error: stat /srv/logs/pods: no such file or directory') },
      confidence: 'possible',
    },
    'the journal': {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 elm-2 kubelet[911]: E1102 08:01:12.447705     911 kubelet_pods.go:273] "Failed to prepare subPath for volumeMount of the container" err="error creating file /var/lib/kubelet/pods/0b7e4f6a/volume-subpaths/conf/relay/0: open: permission denied" containerName="relay" volumeMountName="conf"
Nov 02 08:01:13 elm-2 kubelet[911]: E1102 08:01:13.447705     911 nestedpendingoperations.go:348] Operation for "x" failed. Error: UnmountVolume.TearDown failed: error cleaning subPath mounts for volume "conf": error processing /var/lib/kubelet/pods/0b7e4f6a/volume-subpaths/conf/relay: device or resource busy\n`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the volume is not there yet': {
      evidence: {
        'describe.txt': `${event('Error: failed to prepare subPath for volumeMount "conf" of container "relay"')}  Warning  FailedMount  8s (x9 over 2m)   kubelet  MountVolume.SetUp failed for volume "conf" : configmap "relay" not found\n`,
      },
      by: 'earlier',
    },
    'well by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                    READY   STATUS    RESTARTS   AGE\nchat        relay-7b9d5f6c8-m4x2k   1/1     Running   0          4m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT                      MESSAGE\nchat        50m         Warning   Failed   pod/relay-7b9d5f6c8-m4x2k   Error: failed to prepare subPath for volumeMount "conf" of container "relay"\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the error behind it': {
      evidence: { 'describe.txt': event('Error: failed to prepare subPath for volumeMount "conf" of container "relay"') },
      for: 'kubelet-log',
    },
  },
});
