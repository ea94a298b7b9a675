import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const failed =
  'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: unable to determine runtime API version: rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing dial unix: missing address\\""\n';

testCause(cause, {
  finds: {
    'an empty endpoint': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 birch kubelet[2041]: I0304 08:10:57.118402    2041 util_unix.go:104] "Using this endpoint is deprecated, please consider using full URL format" endpoint="" URL="unix://"\n${failed}`,
      },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:2'],
    },
    'newer words': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:74] "command failed" err="the container runtime endpoint address was not specified or empty, use --container-runtime-endpoint to set"\n',
      },
      confidence: 'certain',
    },
    'two runtimes': {
      evidence: {
        'init.txt':
          "[root@birch ~]# kubeadm init\nFound multiple CRI endpoints on the host. Please define which one do you wish to use by setting the 'criSocket' field in the kubeadm configuration file: unix:///var/run/containerd/containerd.sock, unix:///var/run/cri-dockerd.sock\nTo see the stack trace of this error execute with --v=5 or higher\n",
      },
      confidence: 'certain',
      place: 'node birch',
    },
  },
  rulesOut: {
    'it started since': {
      evidence: {
        'kubelet.log': `${failed}Mar 04 08:20:57 birch kubelet[2107]: I0304 08:20:57.118402    2107 server.go:1264] "Started kubelet"\n`,
      },
      by: 'started',
    },
  },
  asks: { 'the output of kubeadm': { evidence: { 'kubelet.log': failed }, for: 'kubeadm-output' } },
});
