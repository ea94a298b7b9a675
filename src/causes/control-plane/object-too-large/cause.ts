import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'control-plane-log', 'container-log'] as const;

const etcd = line(['etcdserver: request is too large'], SAID_BY);
const entity = line(
  ['Request entity too large: limit is', 'limit is 3145728'],
  SAID_BY,
  /Request entity too large: limit is (?<limit>\d{4,12})/,
);
const message = line(
  ['trying to send message larger than max', 'received message larger than max'],
  SAID_BY,
  // The client of etcd sends at most 2 MiB; runtimes and others have limits of their own.
  /(?:trying to send|received) message larger than max \((?<size>\d{4,12}) vs\.? (?<limit>2097152)\)/,
);
const proxy = line(['413 Request Entity Too Large', 'client intended to send too large body'], []);

export const cause = defineCause({
  id: 'object-too-large',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed', 'no-pods'],

  text: {
    name: 'Object too large to store',
    title: 'An object is too large for the API server or etcd and is not stored{size}',
    why: 'etcd takes requests of at most 1.5 MiB (--max-request-bytes), the API server 3 MiB, and a Secret or ConfigMap may hold 1 MiB. {limit} was exceeded, so the write is refused as a whole and tried again in vain. Usual suspects: a custom resource whose status or spec grows without end (workflows, reports, backups), a release of Helm with a large chart, large files in a ConfigMap.',
  },

  clues: {
    etcd: proves(etcd),
    entity: proves(entity),
    message: supports(message),
    proxy: excludes(proxy),
  },
  says: {
    etcd: 'etcd says: the request is too large',
    entity: 'the API server says: the request is too large',
    message: 'the message between API server and etcd is too large',
    proxy: 'a proxy or ingress refuses the body, not the API server',
  },
  slots: (_place, { entity: body, message: grpc }) => {
    const limit = grpc?.fields['limit'] ?? body?.fields['limit'];
    return {
      size: grpc ? `: ${grpc.fields['size']} bytes, ${limit} are allowed` : body ? `: more than ${limit} bytes` : '',
      limit: grpc || body ? `A limit of ${limit} bytes` : 'The limit of etcd',
    };
  },

  fixes: [
    {
      say: 'Find the object: which write fails, and which objects are large',
      risk: 'reads-only',
      steps: [
        {
          say: 'the largest objects of a kind',
          run: `kubectl get KIND -A -o json | jq -r '.items[] | "\\(tostring|length) \\(.metadata.namespace)/\\(.metadata.name)"' | sort -rn | head`,
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make it smaller: split it, keep files in a volume or object store, and let the operator drop old status (history limits, offloading)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for releases of Helm: keep charts slim (.helmignore), large files elsewhere',
          run: 'kubectl -n NAMESPACE edit KIND NAME',
          on: 'cluster',
        },
      ],
      verified: 'the write goes through',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'etcd server/etcdserver/errors/errors.go (ErrRequestTooLarge), --max-request-bytes',
    'kubernetes staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go (limitedReadBody); grpc-go stream.go',
  ],
});
