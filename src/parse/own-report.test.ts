import { expect, it } from 'vitest';
import { diagnose } from '../diagnose.ts';
import { render } from '../render/index.ts';

const POD = `NAMESPACE   NAME    READY   STATUS             RESTARTS   AGE
shop        web-0   0/1     ImagePullBackOff   0          9m
`;
const EVENTS = `Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Failed   9s    kubelet  Failed to pull image "registry.example/web:9": rpc error: code = NotFound desc = failed to pull and unpack image "registry.example/web:9": failed to resolve reference "registry.example/web:9": registry.example/web:9: not found
`;

it.each(['json', 'yaml'] as const)('does not take a report of its own for evidence: %s', async (format) => {
  const report = await diagnose([
    { name: 'pods.txt', text: POD },
    { name: 'events.txt', text: EVENTS },
  ]);
  expect(report.incidents).not.toEqual([]);
  const again = await diagnose([{ name: `report.${format}`, text: render(report, format) }]);
  expect(again.incidents).toEqual([]);
  expect(again.coverage.unread.map(({ doc }) => doc)).toEqual([`report.${format}`]);
});
