import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (ready: string, status: string, restarts: string) => `$ kubectl -n shop get pods
NAME                    READY   STATUS             RESTARTS      AGE
cart-5d9c7b6f8-q2w4z    ${ready}     ${status}   ${restarts}   9m
`;
const crashing = pods('0/1', 'CrashLoopBackOff', '6 (41s ago)');
const log = (words: string) => `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z --previous\n${words}\n`;
const finds = (words: string) => ({
  evidence: { 'pods.txt': crashing, 'log.txt': log(words) },
  confidence: 'certain' as const,
  cites: ['log.txt:2'],
});
const rails = 'A server is already running. Check /srv/cart/tmp/pids/server.pid.';

testCause(cause, {
  finds: {
    rails: finds(rails),
    'a newer rails': finds('A server is already running (pid: 1, file: /srv/cart/tmp/pids/server.pid).'),
    'Open vSwitch': finds(
      'ovsdb-server: /var/run/openvswitch/ovsdb-server.pid: pidfile check failed (No such process), aborting\n * Starting ovsdb-server',
    ),
    'Open vSwitch, of a process that lives': finds(
      'ovs-vswitchd: /var/run/openvswitch/ovs-vswitchd.pid: already running as pid 31, aborting',
    ),
    apache: finds('httpd (pid 1) already running'),
    celery: finds('ERROR: Pidfile (celerybeat.pid) already exists.'),
    squid: finds('FATAL: Squid is already running: Found fresh instance PID file (/var/run/squid.pid) with PID 1'),
    gunicorn: finds("Error: Already running on PID 1 (or pid file '/tmp/cart.pid' is stale)"),
    airflow: finds('The webserver is already running under PID 7.'),
    'D-Bus': finds('Failed to start message bus: The pid file "/run/dbus/pid" exists, if the message bus is not running, remove this file'),
    postgres: {
      evidence: {
        'pods.txt': crashing,
        'log.txt': log('2026-03-04 08:10:57.112 UTC [1] FATAL:  lock file "postmaster.pid" already exists'),
      },
      confidence: 'possible',
    },
    twisted: finds('Another twistd server is running, PID 1'),
    'pasted alone': { evidence: { 'paste.txt': `${rails}\nExiting\n` }, confidence: 'probable' },
  },
  rulesOut: {
    'it does run': {
      evidence: { 'pods.txt': crashing, 'log.txt': log(`${rails}\nError: bind 0.0.0.0:3000: Address already in use`) },
      by: 'held',
    },
    'it cleans up by itself': {
      evidence: { 'pods.txt': crashing, 'log.txt': log(`${rails}\nRemoving stale pidfile /srv/cart/tmp/pids/server.pid`) },
      by: 'removed',
    },
    'it runs': {
      evidence: { 'pods.txt': pods('1/1', 'Running         ', '0          '), 'log.txt': log(rails) },
      by: 'well',
    },
  },
  asks: {
    'the state of the pod': { evidence: { 'paste.txt': `${rails}\nExiting\n` }, for: 'pod-status' },
  },
});
