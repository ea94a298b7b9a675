import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const health = 'healthcheck error: rpc error: code = Unknown desc = no IP address found for member: alder\n';
const addresses = (address: string) =>
  `$ talosctl get addresses\nNODE        NAMESPACE   TYPE            ID                      VERSION   ADDRESS            LINK\n192.0.2.5   network     AddressStatus   eth0/${address}/24   1         ${address}/24   eth0\n`;

testCause(cause, {
  finds: { 'both are seen': { evidence: { 'paste.txt': `${addresses('10.100.100.23')}\n${health}` }, confidence: 'possible' } },
  rulesOut: {
    'ranges of their own': {
      evidence: {
        'paste.txt': `${addresses('10.100.100.23')}\n${health}`,
        'machine.txt': 'cluster:\n  network:\n    serviceSubnets:\n      - 172.30.0.0/16\n',
      },
      by: 'ownRange',
    },
  },
  asks: { 'the addresses': { evidence: { 'paste.txt': health }, for: 'host-state' } },
});
