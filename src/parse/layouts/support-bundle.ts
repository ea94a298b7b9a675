import { podId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import { journal, log, nodeOf, output } from './commands.ts';

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAME = '[a-z0-9][-a-z0-9.]{0,252}';

/** `nodes/<node>.zip/<node>/logs/…`, packed or unpacked. */
const OF_NODE =
  /(?:^|\/)nodes\/(?<archive>[A-Za-z0-9][\w.-]{0,250}?)(?:\.zip)?\/(?:(?<node>[A-Za-z0-9][\w.-]{0,250})\/)?(?<folder>logs|hostinfos|configs)\/(?<file>[^/\n]{1,200})$/;
/** `logs/<namespace>/<pod>/<container>.log`, and `.log.1` for the run before. */
const POD_LOG = new RegExp(
  `(?:^|/)logs/(?<namespace>[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)/(?<pod>${NAME})/(?<container>${LABEL})\\.log(?<previous>\\.1)?$`,
);
/** Longhorn up to 1.3 collected from its own namespace only. */
const OLD_LONGHORN = new RegExp(
  `(?:^|/)longhorn-support-bundle[^/]{0,120}/(?:[^/]{1,120}/)?logs/(?<pod>${NAME})/(?<container>${LABEL})\\.log$`,
);

function ofNodeFile(folder: string, file: string, at: Partial<Context>): Partial<Context> {
  if (folder === 'hostinfos') {
    if (file === 'proc_mounts') return output('cat /proc/mounts', at);
    if (file === 'processes_info') return output('ps auxw', at);
    return file === 'multipath.conf' ? { ...at, command: 'cat /etc/multipath.conf' } : at;
  }
  if (folder === 'configs') return at;
  const unit = /^(?<unit>[\w@-]{2,60}?)(?:\.log)?(?:\.\d{1,3})?$/.exec(file)?.groups?.['unit'] ?? file;
  if (/^(?:messages|syslog|console)/.test(file)) return log('system-log', at);
  return journal(unit, at);
}

function podContext(groups: Readonly<Record<string, string | undefined>>): Partial<Context> {
  const { namespace = 'longhorn-system', pod = '', container = '', previous } = groups;
  return { channel: 'container-log', namespace, pod: podId(namespace, pod), container, ...(previous ? { previous: true } : {}) };
}

/** Bundles of Longhorn and Harvester. */
export function contextOfLonghorn(path: string): Partial<Context> | undefined {
  const node = OF_NODE.exec(path)?.groups;
  if (node) return ofNodeFile(node['folder'] ?? '', node['file'] ?? '', nodeOf(node['node'] ?? node['archive']));
  const old = OLD_LONGHORN.exec(path)?.groups;
  if (old) return podContext(old);
  const pod = POD_LOG.exec(path)?.groups;
  const bundle = /(?:^|\/)(?:supportbundle|longhorn-support-bundle|harvester-supportbundle)[_-]/i.test(path);
  return pod && (bundle || (pod['pod'] ?? '').includes('-')) ? podContext(pod) : undefined;
}

const SERVICE_LOG = /(?:^|\/)host_service_logs\/(?:masters|workers|(?<node>[\w.-]{1,253}))\/(?<unit>[\w@-]{1,80}?)_service\.log$/;
const NODE_LOG =
  /(?:^|\/)nodes\/(?<node>[\w.-]{1,253})\/(?:\k<node>_logs_(?<unit>[\w-]{2,60})|(?<file>dmesg|proc_cmdline|lscpu|sysinfo\.log))$/;
const STATIC_POD = new RegExp(`(?:^|/)namespaces/(?<namespace>${LABEL})/(?:core|apps|batch|pods)/`);

/** OpenShift's must-gather; the logs of its containers are known by their folders. */
export function contextOfMustGather(path: string): Partial<Context> | undefined {
  const service = SERVICE_LOG.exec(path)?.groups;
  if (service) return journal(service['unit'] ?? '', nodeOf(service['node']));
  const node = NODE_LOG.exec(path)?.groups;
  if (node)
    return node['file'] === undefined || node['file'] === 'dmesg'
      ? journal(node['unit'] ?? 'dmesg', nodeOf(node['node']))
      : nodeOf(node['node']);
  const namespace = STATIC_POD.exec(path)?.groups?.['namespace'];
  return namespace === undefined || !path.endsWith('.yaml') ? undefined : { namespace };
}

const RUN_HOST = /(?:^|\/)host-collectors\/(?:remote\/)?(?:(?<node>[\w.-]{1,253})\/)?run-host\/(?<name>[^/\n]{1,200})\.txt$/;
const JOURNALD =
  /(?:^|\/)host-collectors\/(?:remote\/)?(?:(?<node>[\w.-]{1,253})\/)?journald\/(?<unit>[\w@-]{1,80}?)(?:-info)?\.(?:txt|json)$/;
const ANY_HOST = /(?:^|\/)host-collectors\/(?:remote\/(?<node>[\w.-]{1,253})\/)?/;
/** Troubleshoot notes there what it could not get; it is no container's word. */
const LOG_ERRORS = /(?:^|\/)pods\/logs\/(?<namespace>[a-z0-9-]{1,63})\/(?<pod>[a-z0-9.-]{1,253})\/[a-z0-9-]{1,63}-logs-errors\.log$/;

/** Troubleshoot bundles: what ran on hosts, and what could not be collected. */
export function contextOfTroubleshoot(path: string): Partial<Context> | undefined {
  const errors = LOG_ERRORS.exec(path)?.groups;
  if (errors) return { channel: 'pod-status', namespace: errors['namespace'] ?? '', pod: podId(errors['namespace'], errors['pod'] ?? '') };
  const unit = JOURNALD.exec(path)?.groups;
  if (unit) return journal(unit['unit'] ?? '', nodeOf(unit['node']));
  const run = RUN_HOST.exec(path)?.groups;
  if (run) return nodeOf(run['node']);
  const host = ANY_HOST.exec(path);
  return host ? nodeOf(host.groups?.['node']) : undefined;
}
