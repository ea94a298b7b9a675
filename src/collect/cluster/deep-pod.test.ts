import { describe, expect, it } from 'vitest';
import { deepPod } from './deep-pod.ts';

/** As the kubelet does it: two dollar signs are one, a known name in brackets is its value. */
function expanded(text: string): string {
  return text.replaceAll(/\$\$|\$\((?<name>\w+)\)/g, (_, name: string | undefined) => (name === undefined ? '$' : 'value'));
}

describe('deepPod', () => {
  it('hands its script to the host letter by letter', () => {
    const script = 'echo $$ > pid; node=$(PODCAUSE_NODE); echo "$(date)" "$1" $$$$';
    const { command } = deepPod({ namespace: 'podcause', node: 'a', image: 'i', script, secondsAtMost: 5 }).spec.containers[0] ?? {};
    expect(expanded(command?.at(-1) ?? '')).toBe(script);
  });
});
