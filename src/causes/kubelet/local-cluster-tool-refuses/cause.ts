import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

/** Codes of minikube that name a fault of the machine; others only tell that the cluster did not come up. */
const CODES: Readonly<Record<string, string>> = {
  GUEST_MISSING_CONNTRACK: 'the program conntrack is not installed',
  PROVIDER_DOCKER_NOT_RUNNING: 'Docker does not run',
  PROVIDER_PODMAN_NOT_RUNNING: 'Podman does not run',
  PROVIDER_DOCKER_NEWGRP: 'the user may not use the socket of Docker (group docker)',
  RSRC_DOCKER_STORAGE: 'the disk of Docker is full',
  RSRC_PODMAN_STORAGE: 'the disk of Podman is full',
  RSRC_INSUFFICIENT_CORES: 'the machine has too few CPUs',
  RSRC_DOCKER_CORES: 'Docker has too few CPUs',
  RSRC_INSUFFICIENT_CONTAINER_MEMORY: 'Docker has too little memory',
  RSRC_INSUFFICIENT_REQ_MEMORY: 'too little memory is asked for',
  RSRC_INSUFFICIENT_SYS_MEMORY: 'the machine has too little memory',
  HOST_VIRT_UNAVAILABLE: 'virtualisation (VT-x, AMD-v) is switched off in the BIOS or not there',
  DRV_AS_ROOT: 'the driver may not be used as root',
  DRV_NEEDS_ROOT: 'the driver needs root',
  NOT_FOUND_CRI_DOCKERD: 'cri-dockerd is not installed',
  NOT_FOUND_CRICTL: 'crictl is not installed',
  NOT_FOUND_DOCKERD: 'Docker is not installed',
  NOT_FOUND_CNI_PLUGINS: 'the CNI plugins are not installed',
  HOST_HOME_PERMISSION: 'the folder .minikube belongs to another user',
};
/** The first word of a code tells where it failed. */
const FAMILIES: Readonly<Record<string, string>> = {
  GUEST: 'the machine or container for its node cannot be made, started or prepared',
  HOST: 'the host lacks something it needs',
  DRV: 'the driver cannot be used here',
  RSRC: 'CPU, memory or disk do not suffice',
  PROVIDER: 'the driver (Docker, Podman, a hypervisor) does not work',
  IF: 'the network of the host cannot be set up for it',
  INET: 'the internet is not reached (downloads of images and programs)',
};
const minikube = line(['Exiting due to '], 'objects', /Exiting due to (?<code>[A-Z][A-Z0-9_]{3,60}): {0,4}(?<said>[^\n]{3,300})/);
const kind = line(
  [
    'running kind with rootless provider requires',
    'predefined address pools have been fully subnetted',
    'already exist for a cluster with the name',
    'could not find a log line that matches',
  ],
  ['objects', 'container-log'],
  /(?<rootless>running kind with rootless provider requires [^\n]{3,160})|(?<pools>all predefined address pools have been fully subnetted)|(?<exists>node\(s\) already exist for a cluster with the name)|(?<boot>could not find a log line that matches [^\n]{3,120})/,
);
const done = line(['Done! kubectl is now configured', 'You can now use your cluster with'], []);

export const cause = defineCause({
  id: 'local-cluster-tool-refuses',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'runtime-down', 'other-trouble'],
  effectOf: [
    'cgroup-v2-old-runtime',
    'cri-dockerd-not-running',
    'disk-full-root',
    'image-registry-unreachable',
    'inotify-limits-exhausted',
    'kubeadm-preflight-refuses',
    'kubeadm-waits-for-kubelet-in-vain',
  ],

  text: {
    name: 'minikube or kind refuses',
    title: '{tool} cannot set up its cluster on this machine: {what}',
    why: '{tool} checks the machine before and while it sets up a cluster, and ends: {what}. It says: {said}',
  },

  clues: {
    minikube: proves(minikube, ({ fields }) => CODES[fields['code'] ?? ''] !== undefined),
    unclear: supports(minikube, ({ fields }) => /^(?:GUEST|HOST|DRV|RSRC|PROVIDER|IF|INET)_/.test(fields['code'] ?? '')),
    kind: proves(kind, ({ fields }) => fields['boot'] === undefined),
    boot: supports(kind, ({ fields }) => fields['boot'] !== undefined),
    done: excludes(done),
  },
  says: {
    minikube: 'minikube names the reason: {what}',
    unclear: 'minikube ends with {code}',
    kind: 'kind names the reason: {what}',
    boot: 'the node of kind does not boot: systemd inside never comes up',
    done: 'the cluster has come up since',
  },
  slots: (_place, { minikube: sure, unclear, kind: named, boot }) => {
    const code = sure ?? unclear;
    const fields = named?.fields ?? boot?.fields ?? {};
    return {
      tool: code ? 'minikube' : 'kind',
      code: code?.fields['code'] ?? '',
      said: (code?.fields['said'] ?? Object.values(fields).find((value) => value !== undefined) ?? 'see its output').trim().slice(0, 200),
      what: code
        ? (CODES[code.fields['code'] ?? ''] ??
          `${FAMILIES[(code.fields['code'] ?? '').split('_')[0] ?? ''] ?? 'see its output'} (${code.fields['code'] ?? ''})`)
        : fields['rootless']
          ? 'rootless containers get no cgroup controllers (Delegate=yes is not set in systemd)'
          : fields['pools']
            ? 'Docker has no free address range for another network'
            : fields['exists']
              ? 'a cluster of that name is there already'
              : 'the container of its node does not boot: inotify limits (fs.inotify.max_user_instances), cgroups or the kernel of the host do not fit',
    };
  },

  fixes: [
    {
      say: 'Remove what it names: {what}',
      risk: 'touches-node',
      steps: [
        {
          say: 'a program is missing',
          run: 'apt-get install -y conntrack socat cri-tools containernetworking-plugins',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'a program is missing',
          run: 'dnf install -y conntrack-tools socat cri-tools containernetworking-plugins',
          on: 'node',
          family: 'rhel',
        },
        { say: 'Docker: start it, and let the user in', run: 'systemctl enable --now docker; usermod -aG docker "$USER"', on: 'node' },
        {
          say: 'disk, networks and old clusters: clear what nobody uses',
          run: 'docker system df; docker network prune; docker system prune; minikube delete; kind get clusters',
          on: 'node',
        },
        {
          say: 'a node that does not boot: raise the inotify limits',
          run: 'sysctl -w fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512',
          on: 'node',
        },
        {
          say: 'rootless: give the user slice its controllers',
          run: "mkdir -p /etc/systemd/system/user@.service.d && printf '[Service]\\nDelegate=yes\\n' > /etc/systemd/system/user@.service.d/delegate.conf && systemctl daemon-reload",
          on: 'node',
        },
        {
          say: 'CPU and memory: give the machine or Docker Desktop more (2 CPUs, 2 GB); virtualisation: switch it on in the BIOS, or take --driver=docker',
        },
      ],
      verified: 'minikube start or kind create cluster comes to its end',
    },
    {
      say: 'See the whole story where the reason is not plain',
      risk: 'reads-only',
      steps: [
        { say: 'minikube', run: 'minikube logs --file=minikube.txt', on: 'node' },
        { say: 'kind: keep the node and take its logs', run: 'kind create cluster --retain; kind export logs', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['minikube pkg/minikube/reason/reason.go', 'kind pkg/cluster/internal, docs known-issues, rootless'],
});
