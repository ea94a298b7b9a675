import type { BlockReader } from '../../model/reading.ts';
import { takeLines } from './output.ts';
import { cite, insideContainer, scopeOf } from './scope.ts';

const SETTINGS = /^Settings for (?<device>[\w.@-]{1,40}):\s*$/;
const FEATURES = /^(?:Features|Offload parameters) for (?<device>[\w.@-]{1,40}):\s*$/;
const FEATURE = /^\s{0,12}(?<feature>[a-z][\w -]{2,50}): (?<state>on|off)(?: \[.{0,40}\])?\s*$/;
const LINK = /^\s{0,12}Link detected: (?<link>yes|no)\b/;
/** Of some fifty features those that pod traffic was seen to break on. */
const TOLD =
  /^(?:tx-checksum-ip-generic|tx-checksumming|rx-checksumming|tx-udp_tnl-segmentation|tx-udp_tnl-csum-segmentation|generic-receive-offload|generic-segmentation-offload|tcp-segmentation-offload|large-receive-offload)$/;

/** `ethtool DEV` and `ethtool -k DEV`. */
export const ethtoolReader: BlockReader = {
  what: 'ethtool',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 200);
    const device = SETTINGS.exec(first)?.groups?.['device'] ?? FEATURES.exec(first)?.groups?.['device'];
    if (device === undefined || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 300);
      const feature = FEATURE.exec(line)?.groups;
      if (!feature && !/^\s{1,60}\S/.test(line)) break;
      const link = LINK.exec(line)?.groups?.['link'];
      if (link !== undefined)
        sink.fact('host.interface', scope.node, { name: device, present: true, carrier: link === 'yes' }, cite(scope, end));
      if (!feature || !TOLD.test(feature['feature'] ?? '')) continue;
      sink.fact('host.offload', scope.node, { device, feature: feature['feature'] ?? '', on: feature['state'] === 'on' }, cite(scope, end));
    }
    return takeLines(scope, from, end);
  },
};
