import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const stopped = line(
  ['Stopped kubelet', 'Stopping kubelet', 'kubelet.service: Deactivated successfully', 'kubelet.service: Succeeded'],
  ['system-log', 'kubelet-log'],
  /Stopp(?:ed|ing) kubelet|kubelet\.service: (?:Deactivated successfully|Succeeded)/i,
);
const KUBELET = /^kubelet(?:\.service)?$/;

export const cause = defineCause({
  id: 'kubelet-unit-stopped',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'stuck-terminating', 'not-ready', 'creating', 'pending'],
  wakesOn: [on('unit.state', { unit: 'kubelet', active: 'inactive' }), on('unit.state', { unit: 'kubelet.service', active: 'inactive' })],

  text: {
    name: 'Kubelet is stopped',
    title: 'The kubelet of {where} does not run: its unit is stopped{enabled}',
    why: 'The unit kubelet is inactive: it did not fail, somebody or something stopped it{how}. Without it nobody reports the node, starts or stops its pods or answers for logs; containers that run go on. The control plane marks the node NotReady (Unknown) within a minute, and its pods for deletion after five.',
  },

  clues: {
    inactive: proves('unit.state', ({ unit, active }) => KUBELET.test(unit) && active === 'inactive'),
    silent: supports('node.condition', ({ type, status }) => type === 'Ready' && status === 'Unknown'),
    unready: supports('node.status', ({ status }) => /NotReady/.test(status)),
    ordered: supports(stopped),
    refused: supports('kubelet.health', ({ answer }) => answer === 'refused'),
    failed: excludes('unit.state', ({ unit, active }) => KUBELET.test(unit) && /^(?:failed|activating|active)$/.test(active)),
    well: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'True'),
    ready: excludes('node.status', ({ status }) => /^Ready(?:,|$)/.test(status)),
  },
  says: {
    inactive: 'the unit kubelet is inactive{enabled}{since}',
    silent: 'the control plane hears nothing from the kubelet (Ready Unknown)',
    unready: 'the node is listed as NotReady',
    refused: 'nothing listens on the port of the kubelet',
    ordered: 'systemd stopped the kubelet in an orderly way',
    failed: 'the unit runs, or tries to and fails: its journal tells why',
    well: 'the node is Ready: a kubelet reports it',
    ready: 'the node is Ready: a kubelet reports it',
  },
  slots: (place, { inactive }) => {
    const enabled = inactive?.enabled;
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      enabled: enabled === 'disabled' || enabled === 'masked' ? ` and ${enabled}` : '',
      how:
        enabled === 'masked'
          ? ', and it is masked: it cannot be started before it is unmasked'
          : enabled === 'disabled'
            ? ', and it is disabled: it does not come back at boot'
            : ' (an operator, a package upgrade, a script)',
      unit: enabled === 'masked' ? '' : 'kubelet',
      since: inactive?.since ? `, since ${inactive.since.split(';')[0]}` : '',
    };
  },

  fixes: [
    {
      say: 'See who stopped it, and whether that was meant',
      risk: 'reads-only',
      steps: [
        {
          say: 'the last lines around the stop, and packages changed that day',
          run: "journalctl -u kubelet -n 30 --no-pager; journalctl --since '-1 day' --no-pager | grep -iE 'systemctl|apt|dnf|yum|ansible' | tail",
          on: 'node',
        },
      ],
    },
    {
      say: 'Start the kubelet, now and at boot',
      risk: 'touches-node',
      steps: [
        { say: 'unmask it where it is masked', run: 'systemctl unmask kubelet; systemctl enable --now kubelet', on: 'node' },
        { say: 'it must stay up', run: 'sleep 20; systemctl is-active kubelet; journalctl -u kubelet -n 20 --no-pager', on: 'node' },
      ],
      changes: [
        { do: 'units', action: 'enable', units: ['{{unit}}'] },
        { do: 'units', action: 'start', units: ['{{unit}}'] },
      ],
      verified: 'the node is Ready within a minute',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['systemd.unit(5)', 'kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go'],
});
