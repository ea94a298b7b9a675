import { describe, expect, it } from 'vitest';
import { diagnose } from '../diagnose.ts';

const table = (...rows: readonly string[]) => `Events:
  Type     Reason                  Age                From     Message
  ----     ------                  ----               ----     -------
${rows.join('\n')}
`;
const failed = (age: string) =>
  `  Warning  FailedBuildModel        ${age}  ingress  Failed build model due to ingress: books/cart: Service "cart-web" not found`;
const done = (age: string) => `  Normal   SuccessfullyReconciled  ${age}                 ingress  Successfully reconciled`;
const causesOf = async (text: string) =>
  (await diagnose([{ name: 'describe.txt', text }])).incidents
    .filter(({ confidence }) => confidence !== 'possible')
    .map(({ cause }) => cause);

describe('warnings of long ago that name no pod', () => {
  const listing = (second: string) => `$ kubectl get pods -A
NAMESPACE     NAME                READY   STATUS    RESTARTS        AGE
kube-system   calico-node-x7k2p   1/1     Running   1 (6h12m ago)   21d
kube-system   calico-node-b8m4z   ${second}
`;
  const events = (age: string) => `Events:
  Type     Reason     Age       From     Message
  ----     ------     ----      ----     -------
  Warning  Unhealthy  ${age}    kubelet  Readiness probe failed: calico/node is not ready: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket: dial unix /var/run/calico/bird.ctl: connect: connection refused
`;
  const well = listing('1/1     Running   0               21d');
  const causes = async (...texts: readonly string[]) =>
    (await diagnose(texts.map((text, index) => ({ name: `${index}.txt`, text })))).incidents.map(({ cause }) => cause);

  it('are over where every pod is well', async () => {
    expect(await causes(well, events('6h12m'))).toEqual([]);
  });

  it('stand where they are young, or where a pod is not well', async () => {
    expect(await causes(well, events('41s'))).not.toEqual([]);
    expect(await causes(listing('0/1     Running   0               21d'), events('6h12m'))).not.toEqual([]);
  });
});

describe('what a controller failed to do before it did it', () => {
  it('is no trouble any more', async () => {
    expect(await causesOf(table(failed('9s (x14 over 52s)')))).not.toEqual([]);
    expect(await causesOf(table(failed('9s (x14 over 52s)'), done('2s')))).toEqual([]);
  });

  it('is trouble when it fails again since', async () => {
    expect(await causesOf(table(done('5d'), failed('9s (x14 over 52s)')))).not.toEqual([]);
  });
});
