import type { Document, Unread } from '../../model/document.ts';
import { containerId, podId } from '../../model/entity.ts';
import { type Had, missing } from './had.ts';
import type { ClusterPort } from './port.ts';

export interface LogWanted {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The run before the current one. */
  readonly previous: boolean;
}

export interface LogLimits {
  readonly tailLines: number;
  readonly limitBytes: number;
  readonly sinceSeconds?: number;
}

/** The end of one container's log. A container that has not said anything has an empty log, which is an answer too. */
export async function containerLog(port: ClusterPort, wanted: LogWanted, limits: LogLimits): Promise<Had> {
  const { namespace, pod, container, previous } = wanted;
  const query = new URLSearchParams({ container, tailLines: String(limits.tailLines), timestamps: 'true' });
  if (previous) query.set('previous', 'true');
  // What the run before said is wanted however long ago it ended.
  if (limits.sinceSeconds !== undefined && !previous) query.set('sinceSeconds', String(limits.sinceSeconds));
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query}`;
  const name = `cluster/pods/logs/${namespace}/${pod}/${container}${previous ? '-previous' : ''}.log`;
  try {
    const { body, date } = await port.request({ path, limitBytes: limits.limitBytes });
    const document: Document = { name, size: body.length, bytes: body, ...(date !== undefined ? { takenAt: date } : {}) };
    return { documents: [document], unread: [] };
  } catch (error) {
    const command = `kubectl logs ${pod} -n ${namespace} -c ${container}${previous ? ' --previous' : ''} --tail=${limits.tailLines}`;
    const unread: Unread = missing(error, {
      doc: name,
      command,
      missed: [{ channel: 'container-log', about: containerId(podId(namespace, pod), container) }],
    });
    return { documents: [], unread: [unread] };
  }
}
