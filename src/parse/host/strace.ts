import type { BlockReader } from '../../model/reading.ts';
import { say, scopeOf } from './scope.ts';

const CALL =
  /^\s{0,8}(?:\[pid\s{1,6}\d{1,9}\] |\d{1,9}\s{1,6})?(?:\d\d:\d\d:\d\d(?:\.\d{1,6})? |\d{9,10}\.\d{6} )?(?<call>[a-z_][a-z0-9_]{1,30})\(.{0,3000}\)\s{1,40}= (?<result>-?\d{1,20}|0x[\da-f]{1,16}|\?)(?: (?<errno>E[A-Z0-9]{2,20}) \((?<words>[^)]{1,80})\))?(?:\s.{0,200})?$/;
const MARK =
  /^\s{0,8}(?:\[pid\s{1,6}\d{1,9}\] |\d{1,9}\s{1,6})?(?:\+\+\+ (?:killed by|exited with) .{1,60} \+\+\+|--- SIG[A-Z]{2,10} \{.{0,300}\} ---|strace: (?:Process|attach|Could not).{0,200}|<\.\.\. [a-z_0-9]{2,30} resumed>.{0,2000})$/;
/** Errors that programs meet all the time and go on. */
const ORDINARY =
  /^(?:ENOENT|EAGAIN|EINTR|EINPROGRESS|ENOTTY|ECHILD|ENOPROTOOPT|ENOSYS|ERESTART\w{0,12}|EEXIST|ENODATA|EOPNOTSUPP|ETIMEDOUT)$/;

/** `strace`: calls to the kernel; those that failed for a reason worth knowing count as errors. */
export const straceReader: BlockReader = {
  what: 'strace',
  read(lines, from, context, sink) {
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 4000);
      const groups = CALL.exec(line)?.groups;
      if (!groups && !MARK.test(line)) break;
      const errno = groups?.['errno'];
      const bad = errno !== undefined && !ORDINARY.test(errno);
      say(scope, 'host-tools', line, end, { level: bad ? 'error' : 'info', component: 'strace' });
    }
    return end;
  },
};
