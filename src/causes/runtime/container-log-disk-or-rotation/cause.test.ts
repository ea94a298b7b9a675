import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned shop/cart-0 to elm-3
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node elm-3',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const full =
  'Error: failed to create containerd task: failed to start container io pipes: failed to open log file "/var/log/pods/shop_cart-0_1d5b/cart/3.log": open /var/log/pods/shop_cart-0_1d5b/cart/3.log: no space left on device';

testCause(cause, {
  finds: {
    'no space': found(full),
    'the folder is gone': found(
      'Error: failed to create containerd container: failed to open log file "/var/log/pods/shop_cart-0_1d5b/cart/0.log": open /var/log/pods/shop_cart-0_1d5b/cart/0.log: no such file or directory',
    ),
    Docker: found(
      'Error: failed to start container "cart": Error response from daemon: failed to initialize logging driver: open /var/lib/docker/containers/77aa/77aa-json.log: no space left on device',
    ),
    'no folder can be made': found('Error: mkdir /var/log/pods/shop_cart-0_1d5b/cart: read-only file system'),
    'rotation fails on a full disk': {
      evidence: {
        'kubelet.log':
          'Jun 03 10:11:12 elm-3 kubelet[880]: E0603 10:11:12.000000     880 container_log_manager.go:248] "Failed to rotate log for container" err="failed to compress log \\"/var/log/pods/shop_cart-0_1d5b/cart/0.log.20240603-101112\\": write: no space left on device" path="/var/log/pods/shop_cart-0_1d5b/cart/0.log" containerID="77aa"\n',
        'elm-3.txt': `[root@elm-3 ~]# df -h
Filesystem      Size  Used Avail Use% Mounted on
/dev/sda2        40G   40G     0 100% /
`,
      },
      confidence: 'probable',
      place: 'node elm-3',
    },
    'kubectl logs finds nothing': {
      evidence: {
        'terminal.txt':
          '$ kubectl -n shop logs cart-0\nfailed to try resolving symlinks in path "/var/log/pods/shop_cart-0_1d5b/cart/0.log": lstat /var/log/pods/shop_cart-0_1d5b/cart/0.log: no such file or directory\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'watches are used up': {
      evidence: {
        'events.txt': `${events(full)}  Warning  Failed  3s  kubelet  failed to watch file "/var/log/pods/shop_cart-0_1d5b/cart/0.log": no space left on device\n`,
      },
      by: 'watch',
    },
  },
  asks: { 'how full the disks are': { evidence: { 'events.txt': events(full) }, for: 'host.filesystem' } },
});
