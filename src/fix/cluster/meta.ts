import { isRecord } from '../../collect/cluster/list-meta.ts';
import type { LiveObject } from './cluster-plan.ts';
import { type Token, valueAt } from './json-pointer.ts';

export function recordAt(object: unknown, tokens: readonly Token[]): Readonly<Record<string, unknown>> {
  const value = valueAt(object, tokens);
  return isRecord(value) ? value : {};
}

export function textAt(object: unknown, tokens: readonly Token[]): string | undefined {
  const value = valueAt(object, tokens);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: unknown, tokens: readonly Token[]): number | undefined {
  const value = valueAt(object, tokens);
  return typeof value === 'number' ? value : undefined;
}

export function recordsAt(object: unknown, tokens: readonly Token[]): readonly Readonly<Record<string, unknown>>[] {
  const value = valueAt(object, tokens);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textsAt(object: unknown, tokens: readonly Token[]): readonly string[] {
  const value = valueAt(object, tokens);
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function labelOf(object: unknown, key: string): string | undefined {
  return textAt(object, ['metadata', 'labels', key]);
}

export function annotationOf(object: unknown, key: string): string | undefined {
  return textAt(object, ['metadata', 'annotations', key]);
}

export function uidOf(object: LiveObject): string {
  return textAt(object, ['metadata', 'uid']) ?? '';
}

export interface Controller {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** The owner that makes it anew; others only decide when it is collected. */
export function controllerOf(object: unknown): Controller | undefined {
  const owner = recordsAt(object, ['metadata', 'ownerReferences']).find((one) => one['controller'] === true);
  return owner && asOwner(owner);
}

export function ownersOf(object: unknown): readonly Controller[] {
  return recordsAt(object, ['metadata', 'ownerReferences']).map(asOwner);
}

function asOwner(owner: Readonly<Record<string, unknown>>): Controller {
  const text = (name: string) => (typeof owner[name] === 'string' ? owner[name] : '');
  return { apiVersion: text('apiVersion'), kind: text('kind'), name: text('name'), uid: text('uid') };
}

export function isMirrorPod(pod: unknown): boolean {
  return annotationOf(pod, 'kubernetes.io/config.mirror') !== undefined;
}

export function isReady(pod: unknown): boolean {
  return recordsAt(pod, ['status', 'conditions']).some(({ type, status }) => type === 'Ready' && status === 'True');
}

export function isTerminating(object: unknown): boolean {
  return textAt(object, ['metadata', 'deletionTimestamp']) !== undefined;
}
