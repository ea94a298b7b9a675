import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('CNI configuration', () => {
  it('tells its plugins, version and subnet', () => {
    const text = `{
  "name": "cbr0",
  "cniVersion": "0.3.1",
  "plugins": [
    { "type": "flannel", "delegate": { "hairpinMode": true } },
    { "type": "portmap", "capabilities": { "portMappings": true } }
  ]
}`;
    expect(told(hear(text), 'host.cni-config')).toEqual([
      { about: 'Node/?', name: 'cbr0', version: '0.3.1', plugins: ['flannel', 'portmap'] },
    ]);
    const bridge =
      '{"cniVersion":"1.0.0","name":"net","type":"bridge","mtu":1400,"ipam":{"type":"host-local","ranges":[[{"subnet":"10.85.0.0/16"}]]}}';
    expect(told(hear(bridge, { node: 'Node/n1' }), 'host.cni-config')).toEqual([
      { about: 'Node/n1', name: 'net', version: '1.0.0', plugins: ['bridge'], subnet: '10.85.0.0/16', mtu: 1400 },
    ]);
    expect(hear('{"plugins":["a"],"cniVersion":1}').taken).toEqual([]);
  });

  it('reads subnet.env of flannel', () => {
    const text = 'FLANNEL_NETWORK=10.244.0.0/16\nFLANNEL_SUBNET=10.244.3.1/24\nFLANNEL_MTU=1450\nFLANNEL_IPMASQ=true';
    expect(told(hear(text), 'host.cni-config')).toEqual([
      { about: 'Node/?', name: 'subnet.env', plugins: ['flannel'], subnet: '10.244.3.1/24', network: '10.244.0.0/16', mtu: 1450 },
    ]);
  });
});
