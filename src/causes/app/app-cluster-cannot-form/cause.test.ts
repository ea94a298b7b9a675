import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const galera =
  "mariadb 08:10:57.02 ERROR ==> It is not safe to bootstrap form this node ('safe_to_bootstrap=0' is set in 'grastate.dat'). If you want to force bootstrap, set the environment variable MARIADB_GALERA_FORCE_SAFETOBOOTSTRAP=yes";

testCause(cause, {
  finds: {
    'seeds whose names do not resolve': {
      evidence: crashing('ERROR [main] 2026-03-04 08:10:57,158 CassandraDaemon.java:706 - The seed provider lists no seeds.'),
      confidence: 'possible',
    },
    'a sentinel without its master': {
      evidence: crashing("1:X 04 Mar 2026 08:10:57.000 # Can't resolve master instance hostname."),
      confidence: 'possible',
    },
    'slots of Redis that nobody holds': { evidence: crashing('[ERR] Not all 16384 slots are covered by nodes.'), confidence: 'possible' },
    'RabbitMQ waits for its other members': {
      evidence: crashing('2026-03-04 08:10:57.000000+00:00 [info] <0.229.0> Waiting for Mnesia tables for 30000 ms, 9 retries left'),
      confidence: 'possible',
    },
    'no seed answers': { evidence: crashing('java.lang.RuntimeException: Unable to contact any seeds!'), confidence: 'possible' },
    'after all were down': { evidence: crashing(galera), confidence: 'certain', cites: ['ledger.log:2'] },
    'in the words of the library': {
      evidence: crashing(
        '2026-03-04  8:10:57 0 [ERROR] WSREP: It may not be safe to bootstrap the cluster from this node. It was not the last one to leave the cluster and may not contain all the updates.',
      ),
      confidence: 'certain',
    },
    'a queue that waits for tables': {
      evidence: crashing(
        "2026-03-04 08:10:57.002 [warning] <0.273.0> Error while waiting for Mnesia tables: {timeout_waiting_for_tables,['rabbit@ledger-1.ledger','rabbit@ledger-0.ledger'],[rabbit_durable_queue]}",
      ),
      confidence: 'certain',
    },
    'votes nobody answers': {
      evidence: crashing('2026-03-04T08:10:57.248Z [WARN]  storage.raft: Election timeout reached, restarting election'),
      confidence: 'certain',
    },
    'an index without a master': {
      evidence: crashing(
        '[2026-03-04T08:10:57,628][WARN ][o.e.c.c.ClusterFormationFailureHelper] [ledger-0] master not discovered yet, this node has not previously joined a bootstrapped cluster',
      ),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the members have agreed since': {
      evidence: crashing(
        `${galera}\n[2026-03-04T08:12:00,000][INFO ][o.e.c.s.MasterService] [ledger-0] elected-as-master ([2] nodes joined)`,
      ),
      by: 'elected',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(galera) }, by: 'well' },
  },
  asks: {
    'the log of the container': { evidence: { 'paste.txt': 'master not discovered yet\n' }, for: 'container-log' },
  },
});
