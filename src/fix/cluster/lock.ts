import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { isStatus } from './api.ts';
import type { LiveObject, ObjectRef, RunOptions } from './cluster-plan.ts';
import { numberAt, recordAt, textAt } from './meta.ts';
import { createOwn, OWN_NAMESPACE, type Read, readOwn, replaceOwn, versionOf } from './own-objects.ts';
import { plainLine } from './plain-line.ts';
import { LockLost } from './stopped.ts';

const LEASE: ObjectRef = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  namespace: OWN_NAMESPACE,
  name: 'podcause-fix',
};

const STALE_SECONDS = 120;
const RENEW_MILLISECONDS = 30_000;

type Clock = () => number;

/** Held by this run; told from others by the lease's version, since a holder's name may not be its own alone. */
export class Lock {
  private readonly port: ClusterPort;
  private readonly clock: Clock;
  private lease: LiveObject;
  private renewedAt: number;

  constructor(port: ClusterPort, clock: Clock, lease: LiveObject) {
    this.port = port;
    this.clock = clock;
    this.lease = lease;
    this.renewedAt = clock();
  }

  /** Throws where another run took it, so that nothing is done beside that one. */
  async renew(): Promise<void> {
    const now = this.clock();
    try {
      this.lease = await replaceOwn(
        this.port,
        LEASE,
        { spec: { ...recordAt(this.lease, ['spec']), renewTime: microTime(now) } },
        versionOf(this.lease),
      );
      this.renewedAt = now;
    } catch (error) {
      if (isStatus(error, 409) || isStatus(error, 404)) throw new LockLost('another run has taken the lock; this one lost it');
      throw error;
    }
  }

  /** For long waits, where something comes by often. */
  async renewIfDue(): Promise<void> {
    if (this.clock() - this.renewedAt >= RENEW_MILLISECONDS) await this.renew();
  }

  async release(): Promise<void> {
    const spec = { ...recordAt(this.lease, ['spec']), holderIdentity: '', renewTime: microTime(this.clock()) };
    // Whatever goes wrong here, the lock goes stale by itself.
    await replaceOwn(this.port, LEASE, { spec }, versionOf(this.lease)).catch(() => undefined);
  }
}

export interface Held {
  readonly why: string;
}

/** One run at a time for the whole cluster. */
export async function takeLock(port: ClusterPort, { holder, gone, now = Date.now }: RunOptions): Promise<Lock | Held> {
  const { object, date } = await readOrCreate(port);
  // Everybody measures by the server's clock: those of two machines may differ by more than a lock lives.
  const skew = date === undefined ? 0 : date - now();
  const clock = () => now() + skew;
  const inTheWay = whoHolds(object, clock(), gone);
  if (inTheWay) return inTheWay;
  try {
    return new Lock(port, clock, await replaceOwn(port, LEASE, { spec: heldSpec(object, holder, clock()) }, versionOf(object)));
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    const winner = await readOrCreate(port);
    return whoHolds(winner.object, clock(), undefined) ?? { why: 'another run takes the lock at this moment; try again' };
  }
}

/** Made without a holder, so that nobody holds it by a clock that was never compared with the server's. */
async function readOrCreate(port: ClusterPort): Promise<Read> {
  const found = await readOwn(port, LEASE);
  if (found) return found;
  try {
    await createOwn(port, LEASE, { spec: { leaseDurationSeconds: STALE_SECONDS } });
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
  }
  const made = await readOwn(port, LEASE);
  if (!made) throw new ClusterError('not-found', 'The lock that was just made is not there.', { status: 404 });
  return made;
}

function heldSpec(lease: LiveObject, holder: string, now: number): LiveObject {
  const time = microTime(now);
  return {
    holderIdentity: plainLine(holder, 200),
    leaseDurationSeconds: STALE_SECONDS,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: (numberAt(lease, ['spec', 'leaseTransitions']) ?? 0) + 1,
  };
}

function whoHolds(object: LiveObject, now: number, gone: RunOptions['gone']): Held | undefined {
  const holder = textAt(object, ['spec', 'holderIdentity']) ?? '';
  const renewed = Date.parse(textAt(object, ['spec', 'renewTime']) ?? '');
  const age = Math.abs(now - renewed) / 1000;
  // A time that cannot be read or lies far ahead was not written by a run that is under way.
  if (holder === '' || !(age < STALE_SECONDS) || gone?.(holder) === true) return undefined;
  const since = plainLine(textAt(object, ['spec', 'acquireTime']) ?? '', 40);
  const left = Math.ceil(STALE_SECONDS - age);
  return { why: `another run is under way: ${plainLine(holder, 200)}, since ${since}; if it is dead, its lock ends in ${left} s` };
}

/** The API wants six digits behind the second. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
