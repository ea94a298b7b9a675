import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (error: string) =>
  `Events:\n  Type     Reason                  Age                From     Message\n  ----     ------                  ----               ----     -------\n  Warning  FailedCreatePodSandBox  13s (x5 over 68s)  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = ${error}\n`;
const vsock = event('failed to create containerd task: failed to create shim: open /dev/vhost-vsock: no such device: unknown');

testCause(cause, {
  finds: {
    'no module behind the device': { evidence: { 'describe.txt': vsock }, confidence: 'certain' },
    'no KVM in the machine': {
      evidence: {
        'describe.txt': event(
          'failed to create containerd task: failed to create shim task: failed to launch qemu: exit status 1, error messages from qemu log: Could not access KVM kernel module: No such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'no configuration': {
      evidence: {
        'describe.txt': event(
          'failed to create containerd task: failed to create shim task: Cannot find usable config file (config file "/etc/kata-containers/configuration.toml" unresolvable: file /etc/kata-containers/configuration.toml does not exist): not found',
        ),
      },
      confidence: 'certain',
    },
    'the agent is silent': {
      evidence: {
        'describe.txt': event(
          'CreateContainer failed: Failed to check if grpc server is working: rpc error: code = DeadlineExceeded desc = timed out connecting to vsock 1217660058:1024: unknown',
        ),
        'modprobe.txt': "$ sudo modprobe vhost_vsock\nmodprobe: ERROR: could not insert 'vhost_vsock': Device or resource busy\n",
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'its program is not installed': {
      evidence: {
        'describe.txt': `${vsock}${event('failed to start shim: failed to resolve runtime path: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist: unknown')}`,
      },
      by: 'binary',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': vsock }, for: 'host-tools' } },
});
