// Field numbers of the Kubernetes messages the bench writes, after the public .proto files of k8s.io/api and k8s.io/apimachinery.
// `<Name` is embedded: one message on the wire, its keys one level up in JSON. `[]` repeats, `{}` is a map from strings.
const MESSAGES = {
  ListMeta: 'resourceVersion 2 string, continue 3 string, remainingItemCount 4 int',
  ObjectMeta:
    'name 1 string, generateName 2 string, namespace 3 string, uid 5 string, resourceVersion 6 string, generation 7 int, creationTimestamp 8 Time, labels 11 {}string, annotations 12 {}string, ownerReferences 13 []OwnerReference, finalizers 14 []string, managedFields 17 []ManagedFieldsEntry',
  OwnerReference: 'kind 1 string, name 3 string, uid 4 string, apiVersion 5 string, controller 6 bool, blockOwnerDeletion 7 bool',
  ManagedFieldsEntry:
    'manager 1 string, operation 2 string, apiVersion 3 string, time 4 Time, fieldsType 6 string, fieldsV1 7 FieldsV1, subresource 8 string',
  LabelSelector: 'matchLabels 1 {}string',
  Pod: 'metadata 1 ObjectMeta, spec 2 PodSpec, status 3 PodStatus',
  PodSpec:
    'volumes 1 []Volume, containers 2 []Container, restartPolicy 3 string, terminationGracePeriodSeconds 4 int, dnsPolicy 6 string, nodeSelector 7 {}string, serviceAccountName 8 string, serviceAccount 9 string, nodeName 10 string, securityContext 14 PodSecurityContext, affinity 18 Affinity, schedulerName 19 string, initContainers 20 []Container, tolerations 22 []Toleration, priority 25 int, enableServiceLinks 30 bool, preemptionPolicy 31 string, topologySpreadConstraints 33 []TopologySpreadConstraint',
  PodSecurityContext: 'runAsUser 2 int, runAsNonRoot 3 bool, fsGroup 5 int',
  Affinity: 'podAntiAffinity 3 PodAntiAffinity',
  PodAntiAffinity: 'preferredDuringSchedulingIgnoredDuringExecution 2 []WeightedPodAffinityTerm',
  WeightedPodAffinityTerm: 'weight 1 int, podAffinityTerm 2 PodAffinityTerm',
  PodAffinityTerm: 'labelSelector 1 LabelSelector, topologyKey 3 string',
  Toleration: 'key 1 string, operator 2 string, value 3 string, effect 4 string, tolerationSeconds 5 int',
  TopologySpreadConstraint: 'maxSkew 1 int, topologyKey 2 string, whenUnsatisfiable 3 string, labelSelector 4 LabelSelector',
  Container:
    'name 1 string, image 2 string, command 3 []string, args 4 []string, ports 6 []ContainerPort, env 7 []EnvVar, resources 8 ResourceRequirements, volumeMounts 9 []VolumeMount, livenessProbe 10 Probe, readinessProbe 11 Probe, terminationMessagePath 13 string, imagePullPolicy 14 string, securityContext 15 SecurityContext, envFrom 19 []EnvFromSource, terminationMessagePolicy 20 string',
  ContainerPort: 'name 1 string, containerPort 3 int, protocol 4 string',
  EnvVar: 'name 1 string, value 2 string, valueFrom 3 EnvVarSource',
  EnvVarSource: 'fieldRef 1 ObjectFieldSelector',
  ObjectFieldSelector: 'apiVersion 1 string, fieldPath 2 string',
  EnvFromSource: 'configMapRef 2 ConfigMapEnvSource',
  ConfigMapEnvSource: 'localObjectReference 1 <LocalObjectReference',
  LocalObjectReference: 'name 1 string',
  ResourceRequirements: 'limits 1 {}Quantity, requests 2 {}Quantity',
  VolumeMount: 'name 1 string, readOnly 2 bool, mountPath 3 string',
  Probe:
    'handler 1 <ProbeHandler, initialDelaySeconds 2 int, timeoutSeconds 3 int, periodSeconds 4 int, successThreshold 5 int, failureThreshold 6 int',
  ProbeHandler: 'httpGet 2 HTTPGetAction',
  HTTPGetAction: 'path 1 string, port 2 IntOrString, scheme 4 string',
  SecurityContext: 'capabilities 1 Capabilities, runAsNonRoot 5 bool, readOnlyRootFilesystem 6 bool, allowPrivilegeEscalation 7 bool',
  Capabilities: 'drop 2 []string',
  Volume: 'name 1 string, volumeSource 2 <VolumeSource',
  VolumeSource: 'emptyDir 2 EmptyDirVolumeSource, configMap 19 ConfigMapVolumeSource, projected 26 ProjectedVolumeSource',
  EmptyDirVolumeSource: 'medium 1 string',
  ConfigMapVolumeSource: 'localObjectReference 1 <LocalObjectReference, defaultMode 3 int',
  ProjectedVolumeSource: 'sources 1 []VolumeProjection, defaultMode 2 int',
  VolumeProjection:
    'downwardAPI 2 DownwardAPIProjection, configMap 3 ConfigMapProjection, serviceAccountToken 4 ServiceAccountTokenProjection',
  DownwardAPIProjection: 'items 1 []DownwardAPIVolumeFile',
  DownwardAPIVolumeFile: 'path 1 string, fieldRef 2 ObjectFieldSelector',
  ConfigMapProjection: 'localObjectReference 1 <LocalObjectReference, items 2 []KeyToPath',
  KeyToPath: 'key 1 string, path 2 string',
  ServiceAccountTokenProjection: 'expirationSeconds 2 int, path 3 string',
  PodStatus:
    'phase 1 string, conditions 2 []PodCondition, hostIP 5 string, podIP 6 string, startTime 7 Time, containerStatuses 8 []ContainerStatus, qosClass 9 string, initContainerStatuses 10 []ContainerStatus, podIPs 12 []Address, hostIPs 16 []Address',
  Address: 'ip 1 string',
  PodCondition: 'type 1 string, status 2 string, lastProbeTime 3 Time, lastTransitionTime 4 Time, reason 5 string, message 6 string',
  ContainerStatus:
    'name 1 string, state 2 ContainerState, lastState 3 ContainerState, ready 4 bool, restartCount 5 int, image 6 string, imageID 7 string, containerID 8 string, started 9 bool',
  ContainerState: 'waiting 1 ContainerStateWaiting, running 2 ContainerStateRunning, terminated 3 ContainerStateTerminated',
  ContainerStateWaiting: 'reason 1 string, message 2 string',
  ContainerStateRunning: 'startedAt 1 Time',
  ContainerStateTerminated: 'exitCode 1 int, reason 3 string, message 4 string, startedAt 5 Time, finishedAt 6 Time, containerID 7 string',
  Node: 'metadata 1 ObjectMeta, spec 2 NodeSpec, status 3 NodeStatus',
  NodeSpec: 'podCIDR 1 string, providerID 3 string, taints 5 []Taint, podCIDRs 7 []string',
  Taint: 'key 1 string, value 2 string, effect 3 string, timeAdded 4 Time',
  NodeStatus:
    'capacity 1 {}Quantity, allocatable 2 {}Quantity, conditions 4 []NodeCondition, addresses 5 []NodeAddress, daemonEndpoints 6 NodeDaemonEndpoints, nodeInfo 7 NodeSystemInfo, images 8 []ContainerImage',
  NodeCondition: 'type 1 string, status 2 string, lastHeartbeatTime 3 Time, lastTransitionTime 4 Time, reason 5 string, message 6 string',
  NodeAddress: 'type 1 string, address 2 string',
  NodeDaemonEndpoints: 'kubeletEndpoint 1 DaemonEndpoint',
  DaemonEndpoint: 'Port 1 int',
  NodeSystemInfo:
    'machineID 1 string, systemUUID 2 string, bootID 3 string, kernelVersion 4 string, osImage 5 string, containerRuntimeVersion 6 string, kubeletVersion 7 string, kubeProxyVersion 8 string, operatingSystem 9 string, architecture 10 string',
  ContainerImage: 'names 1 []string, sizeBytes 2 int',
  Event:
    'metadata 1 ObjectMeta, involvedObject 2 ObjectReference, reason 3 string, message 4 string, source 5 EventSource, firstTimestamp 6 Time, lastTimestamp 7 Time, count 8 int, type 9 string, eventTime 10 MicroTime, reportingComponent 14 string, reportingInstance 15 string',
  ObjectReference:
    'kind 1 string, namespace 2 string, name 3 string, uid 4 string, apiVersion 5 string, resourceVersion 6 string, fieldPath 7 string',
  EventSource: 'component 1 string, host 2 string',
  Deployment: 'metadata 1 ObjectMeta, spec 2 DeploymentSpec, status 3 DeploymentStatus',
  DeploymentSpec:
    'replicas 1 int, selector 2 LabelSelector, template 3 PodTemplateSpec, strategy 4 DeploymentStrategy, revisionHistoryLimit 6 int, progressDeadlineSeconds 9 int',
  DeploymentStrategy: 'type 1 string, rollingUpdate 2 RollingUpdateDeployment',
  RollingUpdateDeployment: 'maxUnavailable 1 IntOrString, maxSurge 2 IntOrString',
  DeploymentStatus:
    'observedGeneration 1 int, replicas 2 int, updatedReplicas 3 int, availableReplicas 4 int, unavailableReplicas 5 int, conditions 6 []DeploymentCondition, readyReplicas 7 int',
  DeploymentCondition:
    'type 1 string, status 2 string, reason 4 string, message 5 string, lastUpdateTime 6 Time, lastTransitionTime 7 Time',
  PodTemplateSpec: 'metadata 1 ObjectMeta, spec 2 PodSpec',
  ReplicaSet: 'metadata 1 ObjectMeta, spec 2 ReplicaSetSpec, status 3 ReplicaSetStatus',
  ReplicaSetSpec: 'replicas 1 int, selector 2 LabelSelector, template 3 PodTemplateSpec',
  ReplicaSetStatus: 'replicas 1 int, fullyLabeledReplicas 2 int, observedGeneration 3 int, readyReplicas 4 int, availableReplicas 5 int',
  Service: 'metadata 1 ObjectMeta, spec 2 ServiceSpec, status 3 ServiceStatus',
  ServiceSpec:
    'ports 1 []ServicePort, selector 2 {}string, clusterIP 3 string, type 4 string, sessionAffinity 7 string, ipFamilyPolicy 17 string, clusterIPs 18 []string, ipFamilies 19 []string, internalTrafficPolicy 22 string',
  ServicePort: 'name 1 string, protocol 2 string, port 3 int, targetPort 4 IntOrString',
  ServiceStatus: 'loadBalancer 1 LoadBalancerStatus',
  LoadBalancerStatus: '',
  EndpointSlice: 'metadata 1 ObjectMeta, endpoints 2 []Endpoint, ports 3 []EndpointPort, addressType 4 string',
  Endpoint: 'addresses 1 []string, conditions 2 EndpointConditions, targetRef 4 ObjectReference, nodeName 6 string',
  EndpointConditions: 'ready 1 bool, serving 2 bool, terminating 3 bool',
  EndpointPort: 'name 1 string, protocol 2 string, port 3 int',
  Lease: 'metadata 1 ObjectMeta, spec 2 LeaseSpec',
  LeaseSpec: 'holderIdentity 1 string, leaseDurationSeconds 2 int, renewTime 4 MicroTime',
  Namespace: 'metadata 1 ObjectMeta, spec 2 NamespaceSpec, status 3 NamespaceStatus',
  NamespaceSpec: 'finalizers 1 []string',
  NamespaceStatus: 'phase 1 string',
  ConfigMap: 'metadata 1 ObjectMeta, data 2 {}string',
};

/** Message name to its fields in the order of their numbers, which is the order a server writes them in. */
export const FIELDS = new Map(
  Object.entries(MESSAGES).map(([name, text]) => [
    name,
    (text ? text.split(', ') : [])
      .map((field) => {
        const [key, number, type] = field.split(' ');
        const how = /^(?<sign>\[\]|\{\}|<)?/.exec(type).groups.sign ?? '';
        return { key, number: Number(number), how, type: type.slice(how.length) };
      })
      .sort((a, b) => a.number - b.number),
  ]),
);
