import { podId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import { journal, log, nodeOf, output } from './commands.ts';

/** `<host>-2024-01-31_10_20_30/systeminfo/…`; the folder may have been renamed. */
const FILE =
  /(?:^|\/)(?:(?<host>[A-Za-z0-9][\w.-]{0,200}?)-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d\/)?(?<folder>systeminfo|networking|journald|systemlogs|docker|etcd|rke2|k3s|rke|kubeadm)\/(?<rest>[^\n]{1,1000})$/;
const STAMPED = /-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d\//;

const OUTPUTS: Readonly<Record<string, string>> = {
  'systeminfo/date': 'date',
  'systeminfo/freem': 'free -m',
  'systeminfo/uptime': 'uptime',
  'systeminfo/dmesg': 'dmesg -T',
  'systeminfo/dfh': 'df -h',
  'systeminfo/dfi': 'df -i',
  'systeminfo/lsmod': 'lsmod',
  'systeminfo/mount': 'mount',
  'systeminfo/ps': 'ps auxfww',
  'systeminfo/uname': 'uname -a',
  'systeminfo/lsblk': 'lsblk',
  'systeminfo/lsof': 'lsof -Pn',
  'systeminfo/sysctla': 'sysctl -a',
  'systeminfo/ulimit-hard': 'ulimit -aH',
  'systeminfo/file-nr': 'cat /proc/sys/fs/file-nr',
  'systeminfo/file-max': 'cat /proc/sys/fs/file-max',
  'systeminfo/osrelease': 'cat /etc/os-release',
  'systeminfo/etcresolvconf': 'cat /etc/resolv.conf',
  'systeminfo/etchosts': 'cat /etc/hosts',
  'systeminfo/systemd-units': 'systemctl list-units',
  'systeminfo/systemd-unit-files': 'systemctl list-unit-files',
  'systeminfo/ubuntu-ufw': 'ufw status',
  'systeminfo/ubuntu-apparmorstatus': 'aa-status',
  'systeminfo/sles-apparmorstatus': 'aa-status',
  'systeminfo/rhel-getenforce': 'getenforce',
  'systeminfo/rhel-statusfirewalld': 'systemctl status firewalld',
  'systeminfo/rhel-statusnetworkmanager': 'systemctl status NetworkManager',
  'systeminfo/packages-rpm': 'rpm -qa',
  'systeminfo/packages-dpkg': 'dpkg -l',
  'networking/iptablessave': 'iptables-save',
  'networking/ip6tablessave': 'ip6tables-save',
  'networking/iptables': 'iptables -L -n -v',
  'networking/iptablesnat': 'iptables -t nat -L -n -v',
  'networking/iptablesmangle': 'iptables -t mangle -L -n -v',
  'networking/nft_ruleset': 'nft list ruleset',
  'networking/netstat': 'netstat -antup',
  'networking/ipvsadm': 'ipvsadm -ln',
  'networking/ipaddrshow': 'ip addr show',
  'networking/iplinkshow': 'ip -s link show',
  'networking/iproute': 'ip route show table all',
  'networking/ifconfiga': 'ifconfig -a',
  'docker/dockerinfo': 'docker info',
  'docker/dockerpsa': 'docker ps -a',
  'docker/etcdockerdaemon.json': 'cat /etc/docker/daemon.json',
  'etcd/memberlist': 'etcdctl member list',
  'etcd/endpointstatus': 'etcdctl endpoint status --write-out table',
  'etcd/endpointhealth': 'etcdctl endpoint health',
  'etcd/alarmlist': 'etcdctl alarm list',
};

const CRICTL: Readonly<Record<string, string>> = {
  psa: 'crictl ps -a',
  pods: 'crictl pods',
  info: 'crictl info',
  version: 'crictl version',
  'crictl-version': 'crictl --version',
  'containerd-version': 'containerd --version',
  'runc-version': 'runc --version',
};

/** Two names joined by a hyphen cannot be told apart by it; these are the namespaces the collector asks for. */
const NAMESPACE =
  /^(?<namespace>kube-system|kube-public|kube-node-lease|default|cattle-[a-z]+(?:-[a-z]+){0,3}?-(?:system|data|local-system)|cattle-(?:system|alerting|logging|pipeline|prometheus|global-data|dashboards)|fleet-(?:system|default|local)|longhorn-system|istio-system|ingress-nginx|cis-operator-system|rancher-[a-z]+(?:-[a-z]+)?-system|harvester-system|calico-system|tigera-operator|metallb-system|neuvector|suse-[a-z-]{3,20}?-system|cluster-[a-z-]{3,20}?-system)-(?<pod>[a-z0-9][a-z0-9.-]{0,252})$/;
const DOCKER_LOG = /^k8s_(?<container>[^_/]{1,63})_(?<pod>[^_/]{1,253})_(?<namespace>[^_/]{1,63})_[0-9a-f-]{32,36}_\d{1,6}$/;

function podLog(name: string, at: Partial<Context>): Partial<Context> {
  const docker = DOCKER_LOG.exec(name)?.groups;
  const previous = name.endsWith('-previous');
  const groups = docker ?? NAMESPACE.exec(previous ? name.slice(0, -'-previous'.length) : name)?.groups;
  if (!groups) return log('container-log');
  const { namespace = '', pod = '', container } = groups;
  const whose = container === undefined || container === 'POD' ? {} : { container };
  return {
    ...(docker ? at : {}),
    channel: 'container-log',
    namespace,
    pod: podId(namespace, pod),
    ...whose,
    ...(previous ? { previous } : {}),
  };
}

const COMPONENT = /^(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd)$/;

function ofDistribution(path: string, at: Partial<Context>): Partial<Context> | undefined {
  const [folder = '', ...rest] = path.split('/');
  const name = rest.join('/');
  if (folder === 'crictl') return Object.hasOwn(CRICTL, name) ? output(CRICTL[name] ?? '', at) : at;
  if (folder === 'podlogs' && rest.length === 1) return podLog(name, at);
  if (folder === 'containerlogs')
    return name === 'kubelet' ? log('kubelet-log', at) : log(COMPONENT.test(name) ? 'control-plane-log' : 'container-log', at);
  if (folder === 'certs' || folder === 'tmpcerts' || folder === 'pki') return output(`openssl x509 -text -noout -in ${name}`, at);
  if (folder === 'agent-logs' || folder === 'server-logs') return log(/kubelet/.test(name) ? 'kubelet-log' : 'system-log', at);
  if (folder !== 'kubectl') return undefined;
  if (name === 'nodesdescribe') return output('kubectl describe nodes');
  if (name === 'cluster-info_dump') return {};
  if (rest[0] === 'poddescribe' && rest.length === 2) return output(`kubectl describe pods -n ${rest[1]}`);
  return /^[a-z]{2,40}$/.test(name) && name !== 'version' ? output(`kubectl get ${name} -A -o wide`) : output(`kubectl ${name}`);
}

/** Rancher's logs collector, one archive per node. */
export function contextOfRancher(path: string): Partial<Context> | undefined {
  const groups = FILE.exec(path)?.groups;
  if (!groups) return undefined;
  const { host, folder = '', rest = '' } = groups;
  const at = nodeOf(host);
  const command = OUTPUTS[`${folder}/${rest}`];
  if (command !== undefined && Object.hasOwn(OUTPUTS, `${folder}/${rest}`)) return output(command, at);
  if (folder === 'journald') return rest.includes('/') ? at : journal(rest, at);
  if (folder === 'networking' && /^ss[0-9a-z]{2,8}$/.test(rest)) return output(`ss -${rest.slice(2)}`, at);
  const known = /^(?:rke2|k3s|rke|kubeadm)$/.test(folder) ? ofDistribution(rest, at) : undefined;
  // Folders of these names are not rare; only in the collector's own folder the rest of them is its.
  return known ?? (STAMPED.test(path) ? at : undefined);
}
