import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (code = 1, events = '') => `Name:           gate-7d9f8c6b5-x2k4p
Namespace:      shop
Node:           fir-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/gate-7d9f8c6b5
Containers:
  gate:
    Image:          registry.example/shop/gate:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    ${code}
    Ready:          False
    Restart Count:  5
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container gate in pod gate-7d9f8c6b5-x2k4p_shop(0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11)
${events}`;
const log = (text: string) => `$ kubectl -n shop logs gate-7d9f8c6b5-x2k4p -c gate --previous\n${text}\n`;
const place = 'container gate of Deployment shop/gate';

testCause(cause, {
  finds: {
    'a Service as the address to listen on': {
      evidence: { 'describe.txt': described(), 'log.txt': log('listen tcp: address tcp://10.96.44.3:8080: too many colons in address') },
      confidence: 'certain',
      place,
    },
    'a Service as a socket of Node.js': {
      evidence: { 'describe.txt': described(), 'log.txt': log('Error: listen EACCES: permission denied tcp://10.96.44.3:3000') },
      confidence: 'certain',
      place,
    },
    'a Service behind a host': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log('5f24e641 daemon: listen URL "ldap://gate-7d9f8c6b5-x2k4p:tcp://10.96.44.3:389" parse error=5'),
      },
      confidence: 'certain',
      place,
    },
    'a Service in a pair': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log("java.sql.SQLException: Failed to parse the host:port pair 'gate-db:tcp://10.96.44.3:3306'."),
      },
      confidence: 'certain',
      place,
    },
    'a Service for .NET': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log("Unhandled exception. System.FormatException: The input string 'tcp://10.96.44.3:80' was not in a correct format."),
      },
      confidence: 'certain',
      place,
    },
    'a Service of Autopilot': {
      evidence: { 'describe.txt': described(), 'log.txt': log('config: parsing "tcp://34.118.226.10:5432": invalid syntax') },
      confidence: 'certain',
      place,
    },
    'only the scheme of a Service': {
      evidence: { 'describe.txt': described(), 'log.txt': log("ValueError: Port could not be cast to integer value as 'tcp:'") },
      confidence: 'certain',
      place,
    },
    'the scheme of a Service in a URL': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log('parse "http://gate:tcp://10.96.44.3:3000": invalid port ":tcp:" after host'),
      },
      confidence: 'certain',
      place,
    },
    'a Service of the same name as the program': {
      evidence: {
        'describe.txt': described(),
        'log.txt': log(
          "ValueError: GATE_PORT 'tcp://10.96.13.234:8000' appears to be a URI. This may be caused by a Kubernetes service discovery issue",
        ),
      },
      confidence: 'certain',
      place,
    },
    'too large': {
      evidence: { 'describe.txt': described(255), 'log.txt': log('exec /usr/local/bin/gate: argument list too long') },
      confidence: 'certain',
      place,
      cites: ['log.txt:2'],
      victims: 1,
    },
    'too large, older runc': {
      evidence: {
        'describe.txt': described(1),
        'log.txt': log('standard_init_linux.go:228: exec user process caused: argument list too long'),
      },
      confidence: 'certain',
    },
    'a Service of the same name, Go': {
      evidence: { 'describe.txt': described(), 'log.txt': log('panic: strconv.Atoi: parsing "tcp://10.96.12.7:8080": invalid syntax') },
      confidence: 'certain',
    },
    'a Service of the same name, Java': {
      evidence: { 'log.txt': log('java.lang.NumberFormatException: For input string: "tcp://10.96.12.7:8080"') },
      confidence: 'probable',
    },
    'a Service of the same name, Python and gunicorn': {
      evidence: {
        'log.txt': log(
          "ValueError: invalid literal for int() with base 10: 'tcp://10.96.12.7:5432'\nError: 'tcp://10.96.12.7:8000' is not a valid port number.",
        ),
      },
      confidence: 'probable',
    },
    'a kubelet that has just started': {
      evidence: {
        'describe.txt': described(
          1,
          '  Warning  Failed  9s   kubelet  Error: services have not yet been read at least once, cannot construct envvars\n',
        ),
      },
      confidence: 'possible',
    },
    'keys left out': {
      evidence: {
        'describe.txt': described(
          1,
          '  Warning  InvalidEnvironmentVariableNames  9s   kubelet  Keys [app.properties] from the EnvFrom configMap shop/gate were skipped since they are considered invalid environment variable names.\n',
        ),
        'log.txt': log('setenv: invalid argument'),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a script with too many files': {
      evidence: {
        'log.txt': log('exec /entry.sh: argument list too long\n/entry.sh: line 12: /bin/rm: Argument list too long'),
      },
      by: 'ownScript',
    },
    'well again': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE\nshop        gate-7d9f8c6b5-x2k4p   1/1     Running   0          4m\n',
        'log.txt': log('strconv.Atoi: parsing "tcp://10.96.12.7:8080": invalid syntax'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                   READY   STATUS    RESTARTS     AGE\nshop        gate-7d9f8c6b5-x2k4p   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('strconv.Atoi: parsing "tcp://10.96.12.7:8080": invalid syntax'),
      },
      by: 'over',
    },
  },
  asks: {
    'how the pod is': { evidence: { 'log.txt': log('exec /usr/local/bin/gate: argument list too long') }, for: 'pod-status' },
  },
});
