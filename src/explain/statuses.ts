import type { Entry } from './entry.ts';

const DESCRIBE = 'kubectl describe pod POD -n NAMESPACE';
const PREVIOUS = 'kubectl logs POD -n NAMESPACE -c CONTAINER --previous';

/** What stands in the STATUS column, or as the reason of a waiting or ended container. */
export const STATUSES: readonly Entry[] = [
  {
    terms: ['CrashLoopBackOff'],
    kind: 'status',
    says: 'The container ended several times, and the kubelet waits before it starts it again: 10 seconds first, twice as long each time, five minutes at most.',
    behind:
      'It is a pause, not the fault. The fault is why the last run ended: exit code, last words of the log before, or who stopped it.',
    symptoms: ['crash-loop'],
    ask: PREVIOUS,
  },
  {
    terms: ['ImagePullBackOff', 'ErrImagePull'],
    kind: 'status',
    says: 'The image cannot be pulled, and the kubelet waits before it tries again.',
    behind: 'The event before it names the reason: not found, unauthorized, no such host, timeout, rate limit.',
    symptoms: ['image-pull'],
    ask: DESCRIBE,
  },
  {
    terms: ['ErrImageNeverPull'],
    kind: 'status',
    says: 'The pod says imagePullPolicy Never, and the node does not have the image.',
    symptoms: ['image-pull'],
  },
  {
    terms: ['InvalidImageName'],
    kind: 'status',
    says: 'The name of the image cannot be read as one: a capital letter, a space, a doubled slash or tag.',
    symptoms: ['image-pull'],
  },
  {
    terms: ['ImageInspectError'],
    kind: 'status',
    says: 'The image is on the node, but the runtime cannot read it: its files are damaged or the runtime is unwell.',
    symptoms: ['image-pull'],
    ask: DESCRIBE,
  },
  {
    terms: ['ContainerCreating', 'PodInitializing'],
    kind: 'status',
    says: 'The pod has a node, and no container of it runs yet: sandbox, network, volumes and image come first.',
    behind:
      'For seconds it is normal. For minutes, the newest event names the step that fails: FailedMount, FailedCreatePodSandBox, Pulling.',
    symptoms: ['creating'],
    ask: DESCRIBE,
  },
  {
    terms: ['CreateContainerConfigError'],
    kind: 'status',
    says: 'The kubelet cannot put the container together: a ConfigMap, Secret or key it refers to is not there, or it must not run as root.',
    symptoms: ['config-error'],
    ask: DESCRIBE,
  },
  {
    terms: ['CreateContainerError'],
    kind: 'status',
    says: 'The runtime refused to create the container: its name is taken, a mount does not work, a profile is missing.',
    symptoms: ['create-error'],
    ask: DESCRIBE,
  },
  {
    terms: ['RunContainerError', 'StartError', 'ContainerCannotRun'],
    kind: 'status',
    says: 'The container was created and could not be started: command not found, not executable, or a mount or device failed.',
    symptoms: ['create-error'],
    ask: DESCRIBE,
  },
  {
    terms: ['Init:…/…', 'Init:0/1', 'Init:0/2', 'Init:0/3', 'Init:1/2'],
    kind: 'status',
    says: 'Init containers run one after the other; the first number is how many have ended well. The next one has not ended yet.',
    behind: 'Either it works or waits for something (its log tells), or it was never started (the events tell).',
    symptoms: ['init-stuck'],
    ask: 'kubectl logs POD -n NAMESPACE -c INIT-CONTAINER',
  },
  {
    terms: ['Init:Error', 'Init:CrashLoopBackOff'],
    kind: 'status',
    says: 'An init container ends with an error; the containers after it do not start before it ends well.',
    symptoms: ['init-crash'],
    ask: 'kubectl logs POD -n NAMESPACE -c INIT-CONTAINER --previous',
  },
  {
    terms: ['Init:ImagePullBackOff', 'Init:ErrImagePull'],
    kind: 'status',
    says: 'The image of an init container cannot be pulled.',
    symptoms: ['image-pull'],
    ask: DESCRIBE,
  },
  {
    terms: ['Pending'],
    kind: 'status',
    says: 'The pod exists and does not run yet: no node was found for it, or its images are being pulled.',
    behind: 'Without a node the event FailedScheduling counts, node by node, what is missing.',
    symptoms: ['pending', 'creating'],
    ask: DESCRIBE,
  },
  {
    terms: ['Terminating'],
    kind: 'status',
    says: 'The pod was deleted and is still there: its containers are being stopped, or a finalizer waits.',
    behind:
      'Longer than its grace period means: the kubelet or the runtime of its node does not finish, a process cannot be killed, or nobody removes a finalizer.',
    symptoms: ['stuck-terminating'],
    ask: 'kubectl get pod POD -n NAMESPACE -o yaml | grep -A5 -E "deletionTimestamp|finalizers"',
  },
  {
    terms: ['Evicted'],
    kind: 'status',
    says: 'The kubelet ended the pod because its node ran short of memory, disk or process ids, or the pod used more disk than it may. The entry stays as a record and can be deleted.',
    symptoms: ['evicted'],
    ask: DESCRIBE,
  },
  {
    terms: ['OOMKilled'],
    kind: 'reason',
    says: 'The kernel killed a process of the container for memory. With a limit set, the container reached it; without one, the node had none left.',
    symptoms: ['oom', 'crash-loop'],
    ask: 'kubectl describe pod POD -n NAMESPACE | grep -A6 -E "Limits|Last State"',
  },
  {
    terms: ['Error'],
    kind: 'status',
    says: 'A container ended with a code other than 0 and is not running.',
    symptoms: ['failed', 'crash-loop'],
    ask: PREVIOUS,
  },
  {
    terms: ['Completed'],
    kind: 'status',
    says: 'All containers ended well. Right for a job; a Deployment that shows it has nothing to do and is started again.',
  },
  {
    terms: ['ContainerStatusUnknown'],
    kind: 'reason',
    says: 'Nobody saw how the container ended: its node went away, or the pod was evicted while the kubelet was busy.',
    symptoms: ['failed'],
  },
  {
    terms: ['DeadlineExceeded'],
    kind: 'reason',
    says: 'The pod or job ran longer than its activeDeadlineSeconds and was ended.',
    symptoms: ['failed'],
  },
  {
    terms: ['NodeLost', 'NodeAffinity', 'UnexpectedAdmissionError', 'OutOfcpu', 'OutOfmemory', 'OutOfpods', 'Shutdown', 'Terminated'],
    kind: 'reason',
    says: 'The node did not keep the pod: it went away, was shut down, or refused the pod after the scheduler had chosen it, because its resources, labels or devices were no longer as thought.',
    symptoms: ['failed'],
    ask: DESCRIBE,
  },
  {
    terms: ['Unknown'],
    kind: 'status',
    says: 'The kubelet of the node has not been heard of, so the state of the pod is not known.',
    symptoms: ['node-not-ready'],
    ask: 'kubectl get nodes -o wide',
  },
  {
    terms: ['SchedulingGated'],
    kind: 'status',
    says: 'The pod carries scheduling gates; nobody looks for a node before whoever set them removes them.',
    symptoms: ['pending'],
  },
  {
    terms: ['NotReady'],
    kind: 'status',
    says: 'The kubelet of the node says that it is not ready, or has said nothing for 40 seconds.',
    symptoms: ['node-not-ready'],
    ask: 'kubectl describe node NODE',
  },
  {
    terms: ['SchedulingDisabled'],
    kind: 'status',
    says: 'Somebody cordoned the node: pods that run stay, new ones do not come. kubectl uncordon ends it.',
  },
];
