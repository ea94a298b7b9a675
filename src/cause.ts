export * from './causes/define-cause.ts';
export type { Area, Cause, Clue, Fix, Line, Maturity, Risk, Role, Step } from './model/cause.ts';
export type { Channel } from './model/channel.ts';
export type { Entity, EntityKind } from './model/entity.ts';
export type { Fact, FactKind, FactKinds, Symptom } from './model/facts.ts';
