import type { Incident, Report } from '../../src/model/report.ts';
import { ask, cite, incident, point, reason, report, victim } from './build.ts';
import { diskFull } from './disk-full.ts';

const memory: Incident = incident({
  number: 2,
  cause: 'memory-limit-too-low',
  area: 'resource',
  title: 'indexer is killed when it passes its memory limit of 512Mi',
  why: 'The kernel kills inside a cgroup that passes its limit; the kubelet restarts it, and it grows again.',
  place: 'WorkloadContainer/Deployment/search/indexer/app',
  placeId: 'WorkloadContainer/Deployment/search/indexer/app',
  confidence: 'certain',
  victims: [
    victim('search', 'indexer-84d6f7c9b8-2xkvp', 'oom', [
      point('pods.json', '/items/40/status/containerStatuses/0/lastState/terminated/reason', 'OOMKilled'),
    ]),
    victim('search', 'indexer-84d6f7c9b8-9mmqz', 'oom', [
      point('pods.json', '/items/41/status/containerStatuses/0/lastState/terminated/reason', 'OOMKilled'),
    ]),
  ],
  because: [
    reason(
      'oomKilled',
      'proves',
      'the container ended OOMKilled, twice',
      [point('pods.json', '/items/40/status/containerStatuses/0/lastState/terminated/reason', '"reason": "OOMKilled"')],
      2,
    ),
    reason('cgroupOom', 'proves', 'the kernel names its own limit', [
      cite('kern.log', 3, 'Memory cgroup out of memory: Killed process 4121 (indexer) total-vm:1903204kB, anon-rss:523980kB'),
    ]),
  ],
  not: [
    { says: 'the node out of memory: no node-wide OOM', cited: [], looked: ['kern.log:1-400'] },
    { says: 'a failing probe', cited: [], looked: ['events.txt:1-80'] },
    { says: 'a leak in a sidecar', cited: [cite('top.txt', 3, 'istio-proxy   48Mi')], looked: [] },
    { says: 'an eviction', cited: [], looked: ['events.txt:1-80'] },
    { says: 'a crash of its own', cited: [cite('indexer.log', 9_120, 'indexed 1000 documents')], looked: [] },
    { says: 'a rollout', cited: [], looked: ['deployments.json'] },
  ],
  rivals: [
    {
      cause: 'memory-leak',
      title: 'indexer leaks memory',
      place: 'Deployment search/indexer',
      confidence: 'possible',
      because: [reason('grows', 'supports', 'memory grows from start to end', [cite('top.txt', 2, 'indexer   509Mi')])],
    },
    {
      cause: 'node-overcommitted',
      title: 'the node is promised twice its memory',
      place: 'node worker-1',
      confidence: 'possible',
      because: [],
    },
    {
      cause: 'java-heap',
      title: 'the heap is as large as the limit',
      place: 'Deployment search/indexer',
      confidence: 'possible',
      because: [],
    },
  ],
  asks: [ask('whether memory grows without end', 'kubectl top pod -n search --containers', 'anywhere', 'objects', ['memory-leak'])],
  fixes: [
    {
      title: 'raise the limit to 768Mi',
      risk: 'restarts-pods',
      steps: [{ say: 'set it', command: 'kubectl -n search set resources deployment/indexer -c app --limits=memory=768Mi', on: 'cluster' }],
    },
  ],
});

const image: Incident = incident({
  number: 3,
  cause: 'image-tag-missing',
  area: 'image',
  title: 'registry.example/pay/api has no tag v2.14.0-rc',
  why: 'The registry answers "not found" for it.',
  place: 'WorkloadContainer/Deployment/pay/api/api',
  placeId: 'WorkloadContainer/Deployment/pay/api/api',
  confidence: 'certain',
  victims: [victim('pay', 'api-7c9dd5b6f-kk2ls', 'image-pull', [cite('events.txt', 18, 'Failed to pull image')])],
  because: [
    reason('notFound', 'proves', 'the registry says: not found', [
      cite(
        'events.txt',
        18,
        'Warning  Failed  2m  kubelet  Failed to pull image "registry.example/pay/api:v2.14.0-rc": rpc error: code = NotFound desc = not found',
      ),
    ]),
  ],
  fixes: [
    {
      title: 'name a tag that exists',
      risk: 'restarts-pods',
      steps: [{ say: 'for example the one before', command: 'kubectl -n pay rollout undo deployment/api', on: 'cluster' }],
    },
  ],
});

const volume: Incident = incident({
  number: 4,
  cause: 'storage-class-missing',
  area: 'storage',
  title: 'the claim data-ledger-0 asks for a storage class that is not there',
  why: 'No StorageClass is named fast-ssd.',
  place: 'Object/PersistentVolumeClaim/pay/data-ledger-0',
  placeId: 'Object/PersistentVolumeClaim/pay/data-ledger-0',
  confidence: 'probable',
  victims: [victim('pay', 'ledger-0', 'pending', [cite('events.txt', 22, 'pod has unbound immediate PersistentVolumeClaims')])],
  because: [
    reason('class', 'proves', 'the provisioner finds no class fast-ssd', [
      cite('events.txt', 23, 'storageclass.storage.k8s.io "fast-ssd" not found'),
    ]),
  ],
});

const ownWords: Incident = incident({
  number: 5,
  cause: 'not-in-catalogue',
  area: 'unknown',
  title: 'relation "sessions" does not exist',
  why: 'The last words of the container before it ended.',
  place: 'Pod/web/portal-6b5d8f7c4-w8w8w',
  placeId: 'Pod/web/portal-6b5d8f7c4-w8w8w',
  confidence: 'possible',
  victims: [victim('web', 'portal-6b5d8f7c4-w8w8w', 'crash-loop', [cite('portal.log', 88, 'FATAL: relation "sessions" does not exist')])],
  because: [
    reason('lastWords', 'supports', 'it said so right before it ended', [
      cite('portal.log', 88, 'FATAL: relation "sessions" does not exist'),
    ]),
  ],
  recovered: 'its newest pod is ready',
});

export const severalReport: Report = report({
  verdict: 'found',
  incidents: [diskFull, memory, image, volume, ownWords],
  undecided: [
    {
      says: 'web/cron-28441-zzk8v ended with exit code 1 and no log was given',
      victims: [victim('web', 'cron-28441-zzk8v', 'failed', [cite('pods.json', 900, 'Failed')])],
      open: [{ cause: 'app-error', name: 'The application fails' }],
      asks: [ask('its last words', 'kubectl logs -n web cron-28441-zzk8v --previous', 'anywhere', 'container-log', ['app-error'])],
    },
  ],
  coverage: {
    documents: 9,
    lines: 48_211,
    bytes: 5_213_992,
    pods: 212,
    nodes: 6,
    redactions: 4,
    looked: [{ channel: 'pod-status', about: 'cluster', extent: 'whole', docs: ['pods.json'] }],
    pieces: [{ doc: 'pods.json', lines: [1, 40_000], what: 'kubectl get pods -o json' }],
    unrecognised: [
      { doc: 'notes.txt', lines: [1, 12], bytes: 610, firstLine: 'call with the storage people' },
      { doc: 'notes.txt', lines: [30, 31], bytes: 98, firstLine: '???' },
      { doc: 'grafana.txt', lines: [1, 400], bytes: 18_400, firstLine: '{"panels":[' },
      { doc: 'x.txt', lines: [1, 1], bytes: 3, firstLine: 'asd' },
    ],
    unread: [
      { doc: 'core.8841', why: 'a memory dump, not text', size: 812_000_000 },
      { doc: 'worker-4.tar.gz', why: 'ends too early; the part before was read', size: 9_500_000 },
    ],
  },
  failures: [{ cause: 'dns-loop', message: 'Cannot read properties of undefined' }],
});
