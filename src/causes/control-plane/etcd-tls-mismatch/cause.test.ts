import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const bad =
  'Mar 04 17:09:28 birch etcd[1817]: rejected connection from "10.4.0.11:53382" (error "remote error: tls: bad certificate", ServerName "")\n';

testCause(cause, {
  finds: {
    'an installer asks for its health': {
      evidence: {
        'up.log':
          'WARN[0374] [etcd] host [10.4.0.11] failed to check etcd health: failed to get /health for host [10.4.0.11]: Get "https://10.4.0.11:2379/health": remote error: tls: bad certificate\n',
      },
      confidence: 'certain',
    },
    'only that a certificate is bad': { evidence: { 'journal.txt': bad }, confidence: 'possible' },
    'another CA': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-birch\n{"level":"warn","ts":"2025-03-04T08:10:57.118Z","caller":"embed/config_logging.go:169","msg":"rejected connection","remote-addr":"10.4.0.11:51022","server-name":"","error":"tls: failed to verify client certificate: x509: certificate signed by unknown authority"}\n',
      },
      confidence: 'certain',
    },
    'the API server does not know the CA of etcd': {
      evidence: {
        'apiserver.log':
          '$ crictl logs kube-apiserver-birch\nW0304 08:10:57.118402       1 logging.go:59] [core] grpc: addrConn.createTransport failed to connect to {Addr: "10.4.0.11:2379", ServerName: "10.4.0.11:2379", }. Err: connection error: desc = "transport: authentication handshake failed: x509: certificate is valid for 127.0.0.1, 10.4.0.10, not 10.4.0.11"\n',
        'journal.txt': bad,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has expired': {
      evidence: { 'journal.txt': `${bad}Mar 04 17:09:29 birch etcd[1817]: x509: certificate has expired or is not yet valid\n` },
      by: 'expired',
    },
  },
  asks: { 'the log of the API server': { evidence: { 'journal.txt': bad }, for: 'control-plane-log' } },
});
