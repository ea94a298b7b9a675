import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   24m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       bellows-5c7d8f9b6d-q8z4n ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs bellows-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const gunicorn =
  '[2026-03-04 08:10:57 +0000] [1] [CRITICAL] WORKER TIMEOUT (pid:8)\n[2026-03-04 08:10:58 +0000] [1] [ERROR] Worker (pid:8) was sent SIGKILL! Perhaps out of memory?';
const found = (text: string) => ({ evidence: { 'pods.txt': listing(), 'log.txt': log(text) }, place: 'Deployment forge/bellows' });

testCause(cause, {
  finds: {
    gunicorn: { ...found(gunicorn), confidence: 'possible' },
    uwsgi: { ...found('Wed Mar  4 08:10:57 2026 - *** HARAKIRI ON WORKER 1 (pid: 12, try: 1) ***'), confidence: 'possible' },
    puma: { ...found('[1] ! Terminating timed out worker (worker failed to check in within 60 seconds): 17'), confidence: 'possible' },
    'php-fpm': {
      ...found(
        '[04-Mar-2026 08:10:57] WARNING: [pool www] child 7, script \'/app/index.php\' (request: "GET /index.php") execution timed out (60.116530 sec), terminating',
      ),
      confidence: 'possible',
    },
    unicorn: {
      ...found('E, [2026-03-04T08:10:57.118402 #1] ERROR -- : worker=0 PID:9 timeout (61s > 60s), killing'),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'killed for memory': {
      evidence: { 'pods.txt': listing('0/1     OOMKilled          5 (61s ago)   24m'), 'log.txt': log(gunicorn) },
      by: 'oom',
    },
    'a pod that is well': {
      evidence: { 'pods.txt': listing('1/1     Running            0             24m'), 'log.txt': log(gunicorn) },
      by: 'well',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'log.txt': log(gunicorn) }, for: 'pod-status' } },
});
