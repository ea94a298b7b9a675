import { type EntityId, podId, UNKNOWN } from '../../model/entity.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { originOf } from './attempt-results.ts';
import { takeLines } from './output.ts';
import { cite, insideContainer, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const HEADER =
  /^Filesystem\s+(?:Type\s+)?(?<unit>Size|Inodes|[\d.]+[KMG]?i?B?-blocks)\s+(?:Used|IUsed)\s+(?:Avail|Available|IFree)\s+(?:I?Use%|Capacity)\s+Mounted on\s*$/i;
/** The same in languages df is translated to: the share is the column with the percent sign. */
const TRANSLATED =
  /^(?:文件系统|檔案系統|ファイルシス|Filesystem|Файл\.система|Файловая система|파일 ?시스템|Dateisystem|Sys\. de fichiers|S\.ficheros)\S{0,12}\s+\S.{4,120}%\s+\S.{0,40}$/;
const BY_INODES = /inode|Inode|アイノード|아이노드/;
const ROW = /\s(?<share>\d{1,3}%|-)\s+(?<path>\/\S{0,400})\s*$/;
const LONE_ROW =
  /^(?:\/dev\/\S{1,200}|overlay|tmpfs|shm|[\w.-]{1,100}:\/\S{0,200})\s+(?:[a-z][\w.]{1,12}\s+)?(?<size>[\d.]{1,15}[KMGTP]?)i?\s+[\d.]{1,15}[KMGTP]?i?\s+[\d.]{1,15}[KMGTP]?i?\s+\d{1,3}%\s+\/\S{0,400}\s*$/;

function shareOf(text: string): number | undefined {
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : undefined;
}

/** Rows that grep left without their header: inodes are counted without a unit, and only when asked for. */
function loneUnit(line: string, context: Context): string | undefined {
  if (!LONE_ROW.test(line)) return undefined;
  return commandIs(context, /\bdf\b.{0,40}\s-\w{0,6}i/) ? 'Inodes' : 'Size';
}

function podOf(context: Context): EntityId {
  const origin = originOf(context);
  return origin.startsWith('Pod/') ? origin : podId(context.namespace, UNKNOWN);
}

/** `df`, by blocks or by inodes. */
export const diskReader: BlockReader = {
  what: 'df output',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 800);
    const unit = HEADER.exec(first)?.groups?.['unit'] ?? (TRANSLATED.test(first) ? first : loneUnit(first, context));
    if (unit === undefined) return from;
    const inside = insideContainer(context);
    const scope = scopeOf(lines, context, sink, inside ? podOf(context) : undefined);
    let end = LONE_ROW.test(first) ? from : from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 800);
      const groups = ROW.exec(line)?.groups;
      // A long name of a device stands on a line of its own.
      if (!groups && !/^\S{20,400}\s*$/.test(line)) break;
      const share = shareOf(groups?.['share'] ?? '');
      if (!groups || share === undefined) continue;
      const path = groups['path'] ?? '';
      const payload = BY_INODES.test(unit) ? { path, inodesUsedShare: share } : { path, usedShare: share };
      sink.fact(inside ? 'pod.filesystem' : 'host.filesystem', scope.node, payload, cite(scope, end));
    }
    return takeLines(scope, from, end);
  },
};
