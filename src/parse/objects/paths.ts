import { podId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';

const LABEL = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const NAME = '[a-z0-9][-a-z0-9.]{0,252}';

interface Layout {
  readonly pattern: RegExp;
  /** Only a file of this folder beside it makes the layout certain. */
  readonly beside?: string;
}

/** Where tools and kubelets put container logs. */
const LAYOUTS: readonly Layout[] = [
  // /var/log/pods/<namespace>_<pod>_<uid>/<container>/<restart>.log, also rotated
  {
    pattern: new RegExp(
      `(?:^|/)(?<namespace>${LABEL})_(?<pod>${NAME})_(?<uid>[0-9a-f-]{32,36})/(?<container>${LABEL})/\\d{1,6}\\.log(?:\\.[\\w.-]{1,40})?$`,
    ),
  },
  // /var/log/containers/<pod>_<namespace>_<container>-<id>.log
  { pattern: new RegExp(`(?:^|/)(?<pod>${NAME})_(?<namespace>${LABEL})_(?<container>${LABEL})-(?<id>[0-9a-f]{64})\\.log$`) },
  // must-gather: namespaces/<namespace>/pods/<pod>/<container>/<container>/logs/current.log
  {
    pattern: new RegExp(
      `(?:^|/)namespaces/(?<namespace>${LABEL})/pods/(?<pod>${NAME})/(?<container>${LABEL})/(?:${LABEL}/)?logs/(?<which>current|previous)(?:\\.insecure)?\\.log$`,
    ),
  },
  // troubleshoot bundles: cluster-resources/pods/logs/<namespace>/<pod>/<container>[-previous].log
  {
    pattern: new RegExp(
      `(?:^|/)pods/logs/(?<namespace>${LABEL})/(?<pod>${NAME})/(?<container>[a-z0-9][-a-z0-9]{0,61}?)(?:-(?<which>previous))?\\.log$`,
    ),
  },
  // kubectl cluster-info dump --output-directory: <namespace>/<pod>/logs.txt, beside nodes.json
  { pattern: new RegExp(`^(?<root>.*/)?(?<namespace>${LABEL})/(?<pod>${NAME})/logs\\.txt$`), beside: 'nodes.json' },
];

/**
 * What a file's path tells about its text. With `isThere`, layouts that ordinary folders could imitate are believed only
 * where their other files are there too.
 */
export function contextOfPath(path: string, isThere?: (path: string) => boolean): Partial<Context> {
  if (path.length > 4096) return {};
  const plain = path.replaceAll('\\', '/').replace(/\.gz$/, '');
  for (const { pattern, beside } of LAYOUTS) {
    const groups = pattern.exec(plain)?.groups;
    if (!groups || (beside !== undefined && isThere && !isThere(`${groups['root'] ?? ''}${beside}`))) continue;
    const { namespace = '', pod = '', container, which } = groups;
    return {
      channel: 'container-log',
      namespace,
      pod: podId(namespace, pod),
      ...(container ? { container } : {}),
      ...(which === 'previous' ? { previous: true } : {}),
    };
  }
  return {};
}

export interface DumpMarker {
  readonly type: 'start' | 'end';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

const MARKER = new RegExp(
  `^==== (?<type>START|END) logs for container (?<container>${LABEL}) of pod (?<namespace>${LABEL})/(?<pod>${NAME}) ====$`,
);

/** The lines between which `kubectl cluster-info dump` prints a container's log. */
export function parseDumpMarker(line: string): DumpMarker | undefined {
  if (!line.startsWith('==== ') || line.length > 700) return undefined;
  const groups = MARKER.exec(line.trimEnd())?.groups;
  if (!groups) return undefined;
  const { namespace = '', pod = '', container = '' } = groups;
  return { type: groups['type'] === 'START' ? 'start' : 'end', namespace, pod, container };
}
