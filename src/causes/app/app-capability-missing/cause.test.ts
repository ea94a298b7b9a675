import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'probable') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    'memory that may not be locked': found('Error initializing core: Failed to lock memory: cannot allocate memory'),
    'a change of user': found('setuid: Operation not permitted'),
    '.NET': found(
      'System.Net.Sockets.SocketException (13): Permission denied\n   at System.Net.Sockets.Socket.DoBind(EndPoint endPointSnapshot, SocketAddress socketAddress)',
    ),
    'Java on a low port': found('Caused by: java.net.BindException: Permission denied'),
    Puma: found('Permission denied - bind(2) for "0.0.0.0" port 80 (Errno::EACCES)'),
    asyncio: found("ERROR:    [Errno 13] error while attempting to bind on address ('0.0.0.0', 80): permission denied"),
    HAProxy: found(
      '[ALERT] (1) : Binding [/etc/haproxy.cfg:20] for frontend http: cannot bind socket (Permission denied) for [0.0.0.0:80]',
    ),
    'a mount': found('mount: permission denied (are you root?)'),
    sudo: found('sudo: The "no new privileges" flag is set, which prevents sudo from running as root.'),
    'runc of old': found('standard_init_linux.go:178: exec user process caused "operation not permitted"'),
    crun: found('exec container process `/usr/bin/anvil`: Operation not permitted'),
    'a low port of Apache': found('(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80'),
    'a low port': found('listen tcp :80: bind: permission denied'),
    nginx: found('nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)'),
    'a switch of users': found('su-exec: setgroups: Operation not permitted'),
    'a setting of the kernel': found(
      'level=fatal msg="Error ensuring net.ipv4.vs.conntrack enabled [failed to open file: open /proc/sys/net/ipv4/vs/conntrack: read-only file system]"',
    ),
    'a capability that the runtime has not got itself': {
      evidence: {
        'pods.txt': listing(),
        'describe.txt': `$ kubectl -n forge describe pod anvil-5c7d8f9b6d-q8z4n
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  Failed   3s (x4 over 41s)  kubelet  Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: unable to apply caps: operation not permitted
`,
      },
      confidence: 'probable',
      place: 'Deployment forge/anvil',
    },
    iptables: found("iptables v1.8.7 (legacy): can't initialize iptables table `nat': Permission denied (you must be root)"),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('su-exec: setgroups: Operation not permitted'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('su-exec: setgroups: Operation not permitted'),
      },
      by: 'over',
    },
    'SELinux refuses': {
      evidence: {
        'pods.txt': listing(),
        'log.txt': log('listen tcp :80: bind: permission denied'),
        'kernel.txt':
          'type=AVC msg=audit(1762070400.123:456): avc:  denied  { name_bind } for  pid=4242 comm="anvil" src=80 scontext=system_u:system_r:container_t:s0:c1,c2 tcontext=system_u:object_r:http_port_t:s0 tclass=tcp_socket permissive=0\n',
      },
      by: 'denial',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': 'su-exec: setgroups: Operation not permitted\n' }, for: 'pod-status' } },
});
