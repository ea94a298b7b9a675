import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `NAMESPACE     NAME             READY   STATUS             RESTARTS       AGE   IP          NODE
kube-system   aws-node-x7k2p   ${status}   8 (20s ago)    21m   10.4.0.11   heron-3
`;
const log = (words: string) => `$ kubectl -n kube-system logs aws-node-x7k2p -c aws-node
${words}
`;
const ended = `time="2025-03-04T08:10:38Z" level=info msg="Starting IPAM daemon... "
time="2025-03-04T08:10:38Z" level=info msg="Checking for IPAM connectivity... "
time="2025-03-04T08:10:39Z" level=error msg="Failed to wait for IPAM daemon to complete" error="exit status 1"`;

testCause(cause, {
  finds: {
    'an interface that is gone': {
      evidence: {
        'pods.txt': pods('0/1     CrashLoopBackOff'),
        'cni.log': log(
          '{"level":"error","ts":"2025-03-04T08:10:38.773Z","caller":"aws-k8s-agent/main.go:28","msg":"Initialization failure: ipamd: can not initialize with AWS SDK interface: refreshSGIDs: unable to update the ENI\'s SG: InvalidNetworkInterfaceID.NotFound: The networkInterface ID \'eni-0b1c\' does not exist\\n\\tstatus code: 400"}',
        ),
      },
      confidence: 'certain',
    },
    'it waits for long': {
      evidence: {
        'pods.txt': pods('0/1     CrashLoopBackOff'),
        'cni.log': log(
          [21, 25, 29]
            .map(
              (second) =>
                `{"level":"info","ts":"2025-03-04T08:10:${second}.395Z","caller":"entrypoint.sh","msg":"Retrying waiting for IPAM-D"}`,
            )
            .join('\n'),
        ),
      },
      confidence: 'certain',
    },
    'the daemon ends': {
      evidence: { 'pods.txt': pods('1/2     CrashLoopBackOff'), 'cni.log': log(ended) },
      confidence: 'certain',
      cites: ['cni.log:4'],
      victims: 1,
    },
    'EC2 turns it away': {
      evidence: {
        'ipamd.log':
          '{"level":"error","ts":"2025-03-04T08:10:25.395Z","caller":"ipamd/ipamd.go:484","msg":"Failed to call ec2:DescribeNetworkInterfaces for [eni-0a1b2c3d]: UnauthorizedOperation: You are not authorized to perform this operation.\\n\\tstatus code: 403"}\n',
      },
      confidence: 'certain',
    },
    'no credentials': {
      evidence: {
        'pods.txt': pods('1/2     CrashLoopBackOff'),
        'cni.log': log(
          '{"level":"error","ts":"2025-03-04T08:10:25.395Z","caller":"ipamd/ipamd.go:484","msg":"Failed to call ec2:DescribeNetworkInterfaces for [eni-0a1b2c3d]: operation error EC2: DescribeNetworkInterfaces, get identity: get credentials: request canceled, context deadline exceeded"}',
        ),
      },
      confidence: 'certain',
    },
    'no API server': {
      evidence: {
        'pods.txt': pods('0/1     CrashLoopBackOff'),
        'cni.log': log(
          '{"level":"error","ts":"2025-03-04T08:10:25.395Z","caller":"aws-k8s-agent/main.go:28","msg":"Unable to reach API Server, Get \\"https://172.20.0.1:443/version?timeout=5s\\": context deadline exceeded"}',
        ),
      },
      confidence: 'certain',
    },
    'it waits, and its probe finds nobody': {
      evidence: {
        'pods.txt': pods('0/1     Running         '),
        'cni.log': log('{"level":"info","ts":"2025-03-04T08:10:25.395Z","caller":"entrypoint.sh","msg":"Retrying waiting for IPAM-D"}'),
        'events.txt': `$ kubectl -n kube-system get events
LAST SEEN   TYPE      REASON      OBJECT               MESSAGE
12s         Warning   Unhealthy   pod/aws-node-x7k2p   Readiness probe failed: {"level":"info","ts":"2025-03-04T08:10:26.670Z","msg":"timeout: failed to connect service \\":50051\\" within 5s"}
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'it serves since': {
      evidence: {
        'pods.txt': pods('1/2     CrashLoopBackOff'),
        'cni.log': log(`${ended}\n{"level":"info","ts":"2025-03-04T08:12:25.395Z","msg":"Serving RPC Handler on 127.0.0.1:50051"}`),
      },
      by: 'up',
    },
  },
  asks: {
    'the log': {
      evidence: {
        'pods.txt': pods('0/1     Running         '),
        'events.txt': `$ kubectl -n kube-system get events
LAST SEEN   TYPE      REASON      OBJECT               MESSAGE
12s         Warning   Unhealthy   pod/aws-node-x7k2p   Readiness probe failed: timeout: failed to connect service ":50051" within 5s
`,
      },
      for: 'container-log',
    },
  },
});
