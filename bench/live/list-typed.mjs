// The typed list call of the JavaScript client, paged, keeping nothing: KUBECONFIG=… node bench/live/list-typed.mjs
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
let pods = 0;
let next;
do {
  const page = await api.listPodForAllNamespaces({ limit: 500, _continue: next });
  pods += page.items.length;
  next = page.metadata?._continue;
} while (next);
console.log(pods);
