import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { isRelevantUnit } from './systemctl-lists.ts';
import { unitName } from './systemctl-status.ts';
import { isBlank } from './text.ts';

const HEADER = /^UNIT FILE\s+STATE(?:\s+(?:VENDOR )?PRESET)?\s*$/;
const ROW =
  /^\s{0,8}(?<unit>[\w@.\\:-]{1,200}\.(?:service|socket|timer|mount|automount|path|swap|slice|scope|target))\s+(?<state>enabled|enabled-runtime|disabled|static|masked|masked-runtime|indirect|generated|alias|linked|transient|bad)(?:\s+(?:enabled|disabled|ignored|-))?\s*$/;

/** `systemctl list-unit-files`: what starts at boot. */
export const unitFileListReader: BlockReader = {
  what: 'systemctl list-unit-files',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 400);
    if (insideContainer(context) || (!HEADER.test(first) && !ROW.test(first))) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (let index = from; index < lines.length; index++) {
      const line = (lines[index] ?? '').slice(0, 400);
      if (isBlank(line)) continue;
      const groups = ROW.exec(line)?.groups;
      if (!groups && !HEADER.test(line) && !/^\d{1,6} unit files listed\.\s*$/.test(line)) break;
      end = index + 1;
      const unit = unitName(groups?.['unit'] ?? '');
      if (groups && isRelevantUnit(unit)) {
        sink.fact('unit.state', scope.node, { unit, active: 'unknown', enabled: groups['state'] ?? '' }, cite(scope, index));
      }
    }
    cover(scope, 'unit-state', 'excerpt', from, end);
    return end;
  },
};
