import { printContainers, printDriver, printRefusal, printSandboxes, printStatus, printVersion } from './cri/print.ts';
import { openRuntime, type Refusal, type Runtime } from './cri/runtime.ts';
import type { Builtin } from './probe.ts';

const ANSWER_MILLISECONDS = 3000;

type Opened = { readonly value: Runtime } | { readonly refusal: Refusal };

/**
 * Asks the runtime over its socket, and prints as `crictl` would. A runtime that does not answer the first question is not asked
 * the others: each would wait as long.
 */
export function createCriProbe(socket: string, milliseconds = ANSWER_MILLISECONDS): (what: Builtin) => Promise<string | undefined> {
  let opened: Promise<Opened> | undefined;
  let refused = false;
  return async (what) => {
    opened ??= openRuntime(socket, milliseconds);
    const runtime = await opened;
    if ('value' in runtime) return asked(what, runtime.value, milliseconds);
    if (refused) return undefined;
    refused = true;
    return printRefusal(runtime.refusal, secondsOf(runtime.refusal, milliseconds));
  };
}

function secondsOf({ code }: Refusal, milliseconds: number): number {
  return code === 4 ? milliseconds / 1000 : 0;
}

async function asked(what: Builtin, runtime: Runtime, milliseconds: number): Promise<string | undefined> {
  const print = <T>(result: { readonly value: T } | { readonly refusal: Refusal }, by: (value: T) => string) =>
    'value' in result ? by(result.value) : printRefusal(result.refusal, secondsOf(result.refusal, milliseconds));
  switch (what) {
    case 'cri-version':
      return printVersion(runtime.version);
    case 'cri-info':
      return print(await runtime.status(), printStatus);
    case 'cri-runtime-config':
      return print(await runtime.cgroupDriver(), printDriver);
    case 'cri-pods':
      return print(await runtime.sandboxes(), (sandboxes) => printSandboxes(sandboxes, Date.now()));
    case 'cri-ps': {
      const sandboxes = await runtime.sandboxes();
      return print(await runtime.containers(), (containers) =>
        printContainers(containers, 'value' in sandboxes ? sandboxes.value : [], Date.now()),
      );
    }
    default:
      return undefined;
  }
}
