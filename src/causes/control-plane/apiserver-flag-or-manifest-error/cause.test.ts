import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n kube-system logs kube-apiserver-cp-1\n${text}\n`;
const pods =
  '$ kubectl -n kube-system get pods\nNAME                  READY   STATUS             RESTARTS        AGE\nkube-apiserver-cp-1   0/1     CrashLoopBackOff   14 (2m1s ago)   51d\n';
const failed = (error: string) => `E0304 08:10:57.118402       1 run.go:74] "command failed" err="${error}"`;

testCause(cause, {
  finds: {
    'an address of etcd with a slip of the pen': {
      evidence: {
        'term.txt':
          'root@elm:~# crictl logs 60c420d4a22fe\nW0823 09:18:03.588631       1 logging.go:55] [core] [Channel #1 SubChannel #3]grpc: addrConn.createTransport failed to connect to {Addr: "hhttps://127.0.0.1:2379", ServerName: "127.0.0.1:2379", }. Err: connection error: desc = "transport: Error while dialing: dial tcp: address hhttps://127.0.0.1:2379: too many colons in address"\n',
      },
      confidence: 'certain',
    },
    'an audit policy that is not mounted': {
      evidence: {
        'log.txt':
          'E0823 08:26:41.615226       1 run.go:74] "command failed" err="loading audit policy file: failed to read file path \\"/etc/kubernetes/audit/policy.yaml\\": open /etc/kubernetes/audit/policy.yaml: no such file or directory"\n',
      },
      confidence: 'certain',
    },
    'a removed flag': {
      evidence: { 'apiserver.log': log('Error: unknown flag: --insecure-port'), 'pods.txt': pods },
      confidence: 'certain',
      place: 'pod kube-system/kube-apiserver-cp-1',
      cites: ['apiserver.log:2'],
      victims: 1,
    },
    'a removed flag, the line alone': { evidence: { 'paste.txt': 'Error: unknown flag: --insecure-port\n' }, confidence: 'certain' },
    'a token file with a stray quote': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 cp-1 kube-apiserver[938]: invalid authentication config: line 1, column 82: extraneous " in field\nMar 04 08:10:57 cp-1 systemd[1]: kube-apiserver.service: main process exited, code=exited, status=1/FAILURE\n',
      },
      confidence: 'certain',
    },
    'a feature gate': {
      evidence: {
        'apiserver.log': log(
          'Error: invalid argument "TTLAfterFinished=true" for "--feature-gates" flag: unrecognized feature gate: TTLAfterFinished',
        ),
      },
      confidence: 'certain',
    },
    'an admission plugin': {
      evidence: { 'apiserver.log': log(failed('enable-admission-plugins plugin \\"PodSecurityPolicy\\" is unknown')) },
      confidence: 'certain',
    },
    'a required flag': {
      evidence: {
        'apiserver.log': log(
          'Error: [service-account-issuer is a required flag, --service-account-signing-key-file and --service-account-issuer are required flags]',
        ),
      },
      confidence: 'certain',
    },
    'a file that is not mounted': {
      evidence: {
        'apiserver.log': log(
          failed(
            'loading audit policy file: failed to read file path \\"/etc/kubernetes/audit.yaml\\": open /etc/kubernetes/audit.yaml: no such file or directory',
          ),
        ),
      },
      confidence: 'certain',
    },
    'a key file, in the log of a container nobody named': {
      evidence: { 'crictl.log': `$ crictl logs 3f2a1b9c8d7e6\n${failed('open /etc/kubernetes/pki/sa.pub: no such file or directory')}\n` },
      confidence: 'possible',
    },
    'a feature gate, nobody says whose': {
      evidence: { 'paste.txt': 'run.go:72] "command failed" err="unrecognized feature gate: TTLAfterFinished"\n' },
      confidence: 'possible',
    },
    'its port is taken': {
      evidence: {
        'apiserver.log': log(
          failed('failed to create listener: failed to listen on 0.0.0.0:6443: listen tcp 0.0.0.0:6443: bind: address already in use'),
        ),
      },
      confidence: 'certain',
    },
    'any other last words': {
      evidence: { 'apiserver.log': log(failed('parse \\"10.4.0.10:2379\\": first path segment in URL cannot contain colon')) },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'etcd does not answer': {
      evidence: {
        'apiserver.log': log(
          `W0304 08:10:37.118402       1 logging.go:59] [core] [Channel #1 SubChannel #2] grpc: addrConn.createTransport failed to connect to {Addr: "127.0.0.1:2379"}. Err: connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused"\n${failed('open /etc/kubernetes/pki/sa.pub: no such file or directory')}`,
        ),
      },
      by: 'etcdAway',
    },
  },
  asks: {
    'the log of the API server': {
      evidence: { 'crictl.log': `$ crictl logs 3f2a1b9c8d7e6\n${failed('open /etc/kubernetes/pki/sa.pub: no such file or directory')}\n` },
      for: 'control-plane-log',
    },
  },
});

it('does not speak for its neighbours in the journal', async () => {
  const text =
    'Mar 04 08:10:57 cp-1 kube-controller-manager[938]: E0304 08:10:57.118402     938 controllermanager.go:558] Failed to start certificate controller: open /etc/kubernetes/pki/ca.pem: no such file or directory\n';
  expect((await diagnose([{ name: 'journal.txt', text }], { causes: [cause] })).incidents.map(({ cause: id }) => id)).not.toContain(
    cause.id,
  );
});
