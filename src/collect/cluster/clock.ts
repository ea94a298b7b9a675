import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { type Link, shownAddress, type Timing } from './link.ts';
import { ClusterError } from './port.ts';

/** Watches one try of a request and hangs up when nothing comes any more. */
export interface Clock {
  /** A part of the answer came. */
  heard(): void;
  stop(): void;
  /** Why we hung up ourselves. */
  readonly verdict: ClusterError | undefined;
}

interface Watched {
  readonly method: string;
  readonly path: string;
  /** Milliseconds left for all of it. */
  readonly left: number;
  readonly timing: Timing;
}

type Stage = 'connecting' | 'waiting' | 'reading';

export function startClock(request: ClientRequest, link: Link, watched: Watched): Clock {
  const { left, timing } = watched;
  let verdict: ClusterError | undefined;
  let stage: Stage = 'connecting';
  let idle: NodeJS.Timeout | undefined;
  const hangUp = (waited: number, isWhole: boolean) => {
    verdict ??= lateness(stage, waited, isWhole, link, watched);
    request.destroy();
  };
  const whole = setTimeout(hangUp, left, left, true);
  const connecting = setTimeout(hangUp, timing.connect, timing.connect, false);
  request.once('socket', (socket) =>
    whenConnected(socket, link, () => {
      clearTimeout(connecting);
      stage = 'waiting';
      idle ??= setTimeout(hangUp, timing.idle, timing.idle, false);
    }),
  );
  return {
    heard() {
      stage = 'reading';
      idle?.refresh();
    },
    stop() {
      for (const timer of [whole, connecting, idle]) clearTimeout(timer);
    },
    get verdict() {
      return verdict;
    },
  };
}

function lateness(stage: Stage, waited: number, isWhole: boolean, link: Link, { method, path }: Watched): ClusterError {
  const at = shownAddress(link.server);
  const what = `${method} ${path.split('?', 1)[0]}`;
  const time = `${Math.round(waited / 100) / 10} s`;
  if (stage === 'connecting') {
    const through = link.proxy ? ` through the proxy ${shownAddress(link.proxy)}` : '';
    const message = `${at} does not accept connections${through} (waited ${time}). Check the network, the VPN and firewalls.`;
    return new ClusterError('unreachable', message, { cause: Object.assign(new Error(message), { code: 'ETIMEDOUT' }) });
  }
  if (isWhole) return new ClusterError('slow', `${at} did not finish its answer to ${what} in time (${time}).`);
  const did = stage === 'waiting' ? 'took the request but never answered' : 'fell silent in the middle of its answer to';
  return new ClusterError('slow', `${at} ${did} ${what} (waited ${time}).`);
}

const connected = new WeakSet<Socket>();

function whenConnected(socket: Socket, link: Link, stands: () => void): void {
  const isSecure = link.server.protocol === 'https:';
  // A tunnel is handed over only when its encryption stands; kept sockets are known.
  if ((link.proxy !== undefined && isSecure) || connected.has(socket)) {
    stands();
    return;
  }
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    connected.add(socket);
    stands();
  });
}
