import { byContainers, defineCause, excludes, isOneOf, isWell, line, minutes, namesOf, supports } from '../../define-cause.ts';

/** Servers that keep a pool of processes end the ones that do not report back in time. */
const ended = line(
  [
    'WORKER TIMEOUT',
    '*** HARAKIRI ON WORKER',
    'Terminating timed out worker',
    'timed out worker (worker failed to',
    'execution timed out (',
    's), killing',
  ],
  ['container-log', 'prose'],
  /WORKER TIMEOUT \(pid: ?\d{1,10}\)|(?<uwsgi>\*\*\* HARAKIRI ON WORKER \d{1,5})|(?<puma>Terminating timed out worker)(?: \(worker failed to (?<phase>check in|boot) within (?<puma_limit>\d{1,6}) seconds\))?|(?<fpm>\[pool [\w.-]{1,60}\] child \d{1,10}[^\n]{0,300}?execution timed out \((?<fpm_limit>[\d.]{1,10}) sec\))|(?<unicorn>worker=\d{1,5} PID:\d{1,10} timeout \(\d{1,8}s > (?<unicorn_limit>\d{1,8})s\), killing)/,
);
const killed = line(
  ['was sent SIGKILL! Perhaps out of memory'],
  ['container-log', 'prose'],
  /Worker \(pid: ?\d{1,10}\) was sent SIGKILL! Perhaps out of memory/,
);

export const cause = defineCause({
  id: 'app-worker-times-out',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],
  effectOf: ['app-dependency-unreachable', 'cpu-throttling-starvation', 'oom-container-limit', 'cluster-dns-unanswered'],

  text: {
    name: 'Workers do not answer in time',
    title: '{server} in {container} ends its own workers: they do not answer within {limit}',
    why: '{server} keeps a pool of worker processes and ends those that do not report back within {limit}. A worker is then busy or waits: with a long request or a slow start (a model or a cache that is loaded), with a database or a service that does not answer, or with too little cpu. Nothing outside stops the container; requests that were under way are lost, and probes fail meanwhile.',
  },

  clues: {
    ended: supports(ended, byContainers),
    killed: supports(killed, byContainers),
    oom: excludes('pod.symptom', isOneOf('oom')),
    well: excludes('pod.status', isWell),
  },
  says: {
    ended: '{server} ends a worker that did not answer within {limit}',
    killed: 'a worker was killed (SIGKILL): after a time-out by its own master, or for memory by the kernel',
    oom: 'the kernel kills it for memory: its memory limit is too small',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { ended: said }) => {
    const { uwsgi, puma, fpm, unicorn, puma_limit, fpm_limit, unicorn_limit } = said?.fields ?? {};
    const limit = puma_limit ?? fpm_limit ?? unicorn_limit;
    return {
      ...namesOf(place),
      server: uwsgi ? 'uWSGI' : puma ? 'Puma' : fpm ? 'PHP-FPM' : unicorn ? 'Unicorn' : 'Gunicorn',
      limit: limit
        ? `${limit} s`
        : uwsgi
          ? 'its harakiri time'
          : puma || fpm || unicorn
            ? 'its time limit'
            : 'its timeout (30 s unless set)',
      setting: uwsgi
        ? 'harakiri = 120 in uwsgi.ini'
        : puma
          ? 'worker_timeout 120 (worker_boot_timeout for a slow start) in puma.rb'
          : fpm
            ? 'request_terminate_timeout = 120s of the pool, with max_execution_time'
            : unicorn
              ? 'timeout 120 in unicorn.rb'
              : 'in its command or GUNICORN_CMD_ARGS --timeout 120; --worker-class gthread answers while a request is long; --preload for a slow start',
    };
  },

  fixes: [
    {
      say: 'See what the workers wait for',
      risk: 'reads-only',
      steps: [
        {
          say: 'what stands before the time-out: a request, a query, the loading of a model',
          run: 'kubectl -n {{namespace}} logs {{target}} --tail=200',
          on: 'cluster',
        },
        { say: 'cpu and memory in use, beside the limits', run: 'kubectl -n {{namespace}} top pods --containers', on: 'cluster' },
      ],
    },
    {
      say: 'Give the workers more time, and cpu: {setting}',
      risk: 'restarts-pods',
      steps: [
        { say: 'arguments, environment and cpu limit', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        { say: 'time limits before it (Ingress, load balancer, probes) must be longer than that of the workers' },
      ],
      verified: 'no worker is ended for 10 minutes under the usual load',
    },
    {
      say: 'Or take the wait out of the request: time limits on calls to databases and services, long work into a queue',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'whether what it waits for answers at all',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "env | grep -iE \'host|url|addr\'"',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'gunicorn gunicorn/arbiter.py (murder_workers, reap_workers)',
    'uwsgi core/master_utils.c; puma lib/puma/cluster.rb; unicorn lib/unicorn/http_server.rb',
    'php-src sapi/fpm/fpm/fpm_request.c',
  ],
});
