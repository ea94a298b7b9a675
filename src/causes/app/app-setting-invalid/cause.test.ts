import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string, age = '4m') => `$ kubectl -n shop get pods
NAME                     READY   STATUS             RESTARTS      AGE
front-6d5c4b3a29-k8m7n   ${status}   ${age}
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs front-6d5c4b3a29-k8m7n\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'front.log': log(words) });
const heap =
  'Invalid maximum heap size: -Xmx512Mi\nError: Could not create the Java Virtual Machine.\nError: A fatal exception has occurred. Program will exit.';
const found = (words: string) => ({ evidence: crashing(words), confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'an address with a scheme where none belongs': found('panic: dial tcp: address tcp://cache:6379: too many colons in address'),
    'TLS where there is none': found('2026/03/04 08:10:57 pq: SSL is not enabled on the server'),
    'a key that may not be fetched': found('java.sql.SQLNonTransientConnectionException: Public Key Retrieval is not allowed'),
    'a listener for nobody': found(
      'java.lang.IllegalArgumentException: requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.',
    ),
    'a unit of Kubernetes for the JVM': { ...found(heap), cites: ['front.log:2'] },
    'quotes inside an argument': found(
      'time="2026-03-04T08:10:57Z" level=error msg="Cannot start the provider *crd.Provider: host must be a URL or a host:port pair: \\"\\\\\\"http://localhost:8080\\\\\\"\\""',
    ),
    'an address without a port': found('panic: dial tcp: address cache: missing port in address'),
    'a line break in a secret': found('2026/03/04 08:10:57 parse "http://ledger\\n": net/url: invalid control character in URL'),
    'a connection string of another kind': found(
      'MongoParseError: Invalid scheme, expected connection string to start with "mongodb://" or "mongodb+srv://"',
    ),
    'half a connection string': found(
      'Unhandled exception. System.ArgumentException: Format of the initialization string does not conform to specification starting at index 0.',
    ),
    'a broker setting': found(
      'org.apache.kafka.common.config.ConfigException: Invalid value tls for configuration security.protocol: must be one of: PLAINTEXT, SSL',
    ),
    'a database that was not named': found(
      "Description:\n\nFailed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.",
    ),
    'only that it is no number': {
      evidence: crashing("ValueError: invalid literal for int() with base 10: 'eighty'"),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the address of a Service it would listen on': {
      evidence: crashing('listen tcp: address tcp://10.96.44.3:8080: too many colons in address'),
      by: 'ofRequest',
    },
    'a variable the cluster made': {
      evidence: crashing("ValueError: invalid literal for int() with base 10: 'tcp://10.43.0.9:6379'"),
      by: 'ofRequest',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'front.log': log(heap) }, by: 'well' },
    'long over': { evidence: { 'pods.txt': pods('1/1     Running            5 (8d ago)   ', '8d'), 'front.log': log(heap) }, by: 'over' },
  },
  asks: {
    'how the pod is doing': { evidence: { 'front.log': log(heap) }, for: 'pod-status' },
  },
});
