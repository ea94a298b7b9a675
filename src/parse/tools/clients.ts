import type { Channel } from '../../model/channel.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { nodeOf, toolWords } from './command.ts';

interface Client {
  readonly name: string;
  readonly says: RegExp;
  readonly channel: Channel;
}

/** One-line errors of programs people try things with; each starts in a way no other program does. */
const CLIENTS: readonly Client[] = [
  { name: 'docker', says: /^(?:docker: )?Error response from daemon: \S/, channel: 'docker-log' },
  {
    name: 'minikube',
    says: /^(?:❌|🤦|💣|⛔|🛑|🚫|🧯|🤷|X)\s{1,4}(?:Exiting due to|Problems? detected in|Error|Failed) ?[A-Z_]{0,60}\b/,
    channel: 'objects',
  },
  { name: 'kind', says: /^ERROR: failed to (?:create cluster|init node|load|pull image|delete cluster)\b/, channel: 'objects' },
  { name: 'terraform', says: /^[│|] {1,4}Error: \S/, channel: 'objects' },
];

/** Programs whose errors begin like any other: they count below their command. */
const TYPED =
  /^(?:calicoctl|cilium|istioctl|velero|argocd|flux|eksctl|gcloud|az|aws|talosctl|k3d|kind|minikube|rke|linkerd|kustomize|skaffold|etcdctl)$/;
const PLAIN = /^(?:Error|ERROR|error|FATAL|✗|✖|\[✖\]|╷|An error occurred)[: ]\s{0,4}\S/;

function clientOf(line: string, context: Context): { readonly name: string; readonly channel: Channel } | undefined {
  const known = CLIENTS.find(({ says }) => says.test(line));
  if (known) return known;
  const name = context.command === undefined ? undefined : toolWords(context)[0];
  return name !== undefined && TYPED.test(name) && PLAIN.test(line) ? { name, channel: 'objects' } : undefined;
}

/** Errors of other clients, as their own words. */
export const clientsReader: BlockReader = {
  what: 'answer of a client',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const line = (lines[from] ?? '').slice(0, 4000).trim();
    const client = clientOf(line, context);
    if (!client) return from;
    const about = nodeOf(context);
    sink.said({
      channel: client.channel,
      about,
      text: line,
      cited: citeLines(context.doc, lines, from),
      level: 'error',
      component: client.name,
    });
    return from + 1;
  },
};
export const CLIENTS_SIGN = /^\s{0,8}(?:docker: |Error|ERROR|error|FATAL|An error|❌|🤦|💣|⛔|🛑|🚫|🧯|🤷|X |[│|] {1,4}Error|✗|✖|\[✖|╷)/;
