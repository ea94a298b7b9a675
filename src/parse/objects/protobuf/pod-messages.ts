import { POD_METADATA, PROBED_CONDITION } from './meta-messages.ts';
import { inline, many, message, one } from './schema.ts';

const NAMED = message({ 1: 'name' });

const HANDLER = message({
  1: one('exec', message({ 1: 'command:texts' })),
  2: one('httpGet', message({ 1: 'path', 2: 'port:int-or-string', 3: 'host', 4: 'scheme' })),
  3: one('tcpSocket', message({ 1: 'port:int-or-string', 2: 'host' })),
  4: one('grpc', message({ 1: 'port:count', 2: 'service' })),
});
const PROBE = message({
  1: inline(HANDLER),
  2: 'initialDelaySeconds:number',
  3: 'timeoutSeconds:number',
  4: 'periodSeconds:number',
  5: 'successThreshold:number',
  6: 'failureThreshold:number',
});

const CONTAINER = message({
  1: 'name',
  2: 'image',
  3: 'command:texts',
  4: 'args:texts',
  8: one('resources', message({ 1: 'limits:quantity-map' })),
  9: many('volumeMounts', message({ 1: 'name', 5: 'mountPropagation' })),
  10: one('livenessProbe', PROBE),
  11: one('readinessProbe', PROBE),
  15: one(
    'securityContext',
    message({ 2: 'privileged:bool', 4: 'runAsUser:count', 5: 'runAsNonRoot:bool', 6: 'readOnlyRootFilesystem:bool' }),
  ),
  22: one('startupProbe', PROBE),
  24: 'restartPolicy',
});

const PROJECTION = message({ 1: one('secret', message({ 1: inline(NAMED) })), 3: one('configMap', message({ 1: inline(NAMED) })) });

/** Of kinds that are told by their name alone, only that they are there. */
const VOLUME_SOURCE = message({
  1: one('hostPath', message({ 1: 'path' })),
  2: one('emptyDir', message({ 1: 'medium' })),
  3: 'gcePersistentDisk:present',
  4: 'awsElasticBlockStore:present',
  5: 'gitRepo:present',
  6: one('secret', message({ 1: 'secretName' })),
  7: one('nfs', message({ 1: 'server', 2: 'path' })),
  8: one('iscsi', message({ 1: 'targetPortal' })),
  9: 'glusterfs:present',
  10: one('persistentVolumeClaim', message({ 1: 'claimName' })),
  11: 'rbd:present',
  12: 'flexVolume:present',
  13: 'cinder:present',
  14: 'cephfs:present',
  15: 'flocker:present',
  16: 'downwardAPI:present',
  17: 'fc:present',
  18: 'azureFile:present',
  19: one('configMap', message({ 1: inline(NAMED) })),
  20: 'vsphereVolume:present',
  21: 'quobyte:present',
  22: 'azureDisk:present',
  23: 'photonPersistentDisk:present',
  24: 'portworxVolume:present',
  25: 'scaleIO:present',
  26: one('projected', message({ 1: many('sources', PROJECTION) })),
  27: 'storageos:present',
  28: one('csi', message({ 1: 'driver' })),
  29: 'ephemeral:present',
  30: 'image:present',
});

const POD_SPEC = message({
  1: many('volumes', message({ 1: 'name', 2: inline(VOLUME_SOURCE) })),
  2: many('containers', CONTAINER),
  3: 'restartPolicy',
  7: 'nodeSelector:text-map',
  10: 'nodeName',
  11: 'hostNetwork:flag',
  14: one('securityContext', message({ 2: 'runAsUser:count', 3: 'runAsNonRoot:bool' })),
  19: 'schedulerName',
  20: many('initContainers', CONTAINER),
  22: many('tolerations', message({ 1: 'key', 2: 'operator', 3: 'value', 4: 'effect', 5: 'tolerationSeconds:count' })),
  29: 'runtimeClassName',
});

export const POD_TEMPLATE = message({ 2: one('spec', POD_SPEC) });

const STATE = message({
  1: one('waiting', message({ 1: 'reason', 2: 'message' })),
  2: one('running', message({ 1: 'startedAt:time' })),
  3: one(
    'terminated',
    message({
      1: 'exitCode:count',
      2: 'signal:number',
      3: 'reason',
      4: 'message',
      5: 'startedAt:time',
      6: 'finishedAt:time',
      7: 'containerID',
    }),
  ),
});

const CONTAINER_STATUS = message({
  1: 'name',
  2: one('state', STATE),
  3: one('lastState', STATE),
  4: 'ready:bool',
  5: 'restartCount:count',
  8: 'containerID',
  9: 'started:bool',
});

const POD_STATUS = message({
  1: 'phase',
  2: many('conditions', PROBED_CONDITION),
  3: 'message',
  4: 'reason',
  8: many('containerStatuses', CONTAINER_STATUS),
  10: many('initContainerStatuses', CONTAINER_STATUS),
  13: many('ephemeralContainerStatuses', CONTAINER_STATUS),
});

export const POD = message({ 1: one('metadata', POD_METADATA), 2: one('spec', POD_SPEC), 3: one('status', POD_STATUS) });
