import { podId, UNKNOWN } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

/** What only somebody says who wanted an image and did not get it. */
const FAILED_PULL =
  /PullImage(?: from image service)? failed|PullImage \S{1,300} failed|pulling image(?: failed)?: |failed to pull (?:and unpack )?image|failed to resolve reference |Error response from daemon: (?:Get "?https?:\/\/\S{1,200}\/v2\/|manifest |pull access denied|toomanyrequests)/;

/** Of more errors than this, one of a pull may be long over: that is a log, no paste. */
const MOST_ERRORS = 20;

/**
 * A pull tried by hand, or by a kubelet of whose pods nothing is shown, is trouble of its own:
 * some pod waits for that image, or will.
 */
export function deriveLonePulls(base: FactBase): void {
  const errors = base.all('log.error');
  if (errors.length > MOST_ERRORS || base.all('pod.symptom').length > 0 || base.all('pod.status').length > 0) return;
  if (base.all('pod.event').some(({ reason }) => reason === 'Pulled')) return;
  const failed = errors.find((error) => !error.hearsay && error.ownVoice && FAILED_PULL.test(error.message) && !isOver(error, base));
  if (!failed) return;
  const { cited } = failed;
  base.add({ kind: 'pod.symptom', about: podId(undefined, UNKNOWN), cited, symptom: 'image-pull', detail: 'a pull failed' });
}

/** Who waits for an image tries again within minutes, and says so again. */
const QUIET_LINES = 30;

/** Said once, and its log went on for a while without a second time: the next try went well. */
function isOver({ count, cited }: Fact<'log.error'>, base: FactBase): boolean {
  const [place] = cited;
  const said = place?.at.lines?.[1];
  if (count > 1 || said === undefined) return false;
  return base.coverage.all.some(({ doc, lines }) => doc === place?.doc && lines !== undefined && lines[1] - said > QUIET_LINES);
}
