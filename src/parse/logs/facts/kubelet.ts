import { containerId } from '../../../model/entity.ts';
import type { CgroupDriver } from '../../../model/facts.ts';
import { readQuoted } from '../go-quote.ts';
import type { Told } from './told.ts';

const SYNC_RESULT = /failed to "(?:StartContainer|InitContainer)" for "(?<container>[^"\s]{1,63})" with (?<reason>[A-Za-z]{1,60}): (?=")/g;
const MOST_RESULTS = 20;
const DRIVER = /"?CgroupDriver"?:"?(?<driver>systemd|cgroupfs)\b/;
const VERSION = /^v?\d+\.\d+[\w.+-]{0,60}$/;

/** Facts only the kubelet's own log gives. */
export function kubeletFacts(told: Told): void {
  const { message } = told.line;
  if (message.startsWith('Error syncing pod') || message.includes('failed to "StartContainer"')) waitingContainers(told);
  else if (message.startsWith('Using cgroup driver setting received')) driverFromRuntime(told);
  else if (message.startsWith('FLAG: --cgroup-driver=')) driverFromFlag(told);
  else if (message.startsWith('Creating Container Manager object')) driverFromNodeConfig(told);
  else if (message.startsWith('Kubelet version')) kubeletVersion(told);
}

/** `failed to "StartContainer" for "app" with CrashLoopBackOff: "back-off …"`, once per container of the pod. */
function waitingContainers(told: Told): void {
  const names = told.attribution.names;
  const pod = names?.pod ?? (names?.uid === undefined ? undefined : `uid:${names.uid}`);
  if (pod === undefined) return;
  const { message, fields } = told.line;
  const text = fields?.['err'] ?? message;
  let count = 0;
  for (const match of text.matchAll(SYNC_RESULT)) {
    const { container = '', reason = '' } = match.groups ?? {};
    const quoted = readQuoted(text, match.index + match[0].length);
    told.sink.fact('container.waiting', containerId(pod, container), { reason, message: quoted.text }, told.cited, told.more);
    count += 1;
    if (count >= MOST_RESULTS) return;
  }
}

function driverFromRuntime(told: Told): void {
  const driver = asDriver(told.line.fields?.['cgroupDriver'] ?? /cgroupDriver="?(\w+)/.exec(told.line.message)?.[1]);
  if (driver) told.sink.fact('kubelet.cgroup-driver', told.attribution.node, { driver, source: 'cri' }, told.cited, told.more);
}

/** The dump of flags comes before the configuration file is read, so the flag's default says nothing. */
function driverFromFlag(told: Told): void {
  const driver = asDriver(/="(\w+)"/.exec(told.line.message)?.[1]);
  if (driver === 'systemd')
    told.sink.fact('kubelet.cgroup-driver', told.attribution.node, { driver, source: 'log' }, told.cited, told.more);
}

function driverFromNodeConfig(told: Told): void {
  const text = told.line.fields?.['nodeConfig'] ?? told.line.message;
  const driver = asDriver(DRIVER.exec(text)?.groups?.['driver']);
  if (driver) told.sink.fact('kubelet.cgroup-driver', told.attribution.node, { driver, source: 'log' }, told.cited, told.more);
}

function kubeletVersion(told: Told): void {
  const version = told.line.fields?.['kubeletVersion'] ?? told.line.message.replace(/^Kubelet version:? ?/, '').trim();
  if (VERSION.test(version))
    told.sink.fact('host.version', told.attribution.node, { component: 'kubelet', version }, told.cited, told.more);
}

/** The log of a pod of the control plane or of kube-proxy, by the pod's name. */
const KUBE_POD = /\/(?<program>kube-(?:proxy|scheduler|apiserver|controller-manager))(?:-|\/|$)/;

/** `"Version info" version="v1.30.2"`, or `Version: v1.20.4` in older releases. */
export function programVersion(told: Told): void {
  const { component: speaker, node, about } = told.attribution;
  const component = speaker?.startsWith('kube-') ? speaker : KUBE_POD.exec(about)?.groups?.['program'];
  if (component === undefined) return;
  const { message, fields } = told.line;
  const version = message === 'Version info' ? fields?.['version'] : /^Version: (v\S{1,60})$/.exec(message)?.[1];
  if (version && VERSION.test(version)) told.sink.fact('host.version', node, { component, version }, told.cited, told.more);
}

function asDriver(word: string | undefined): CgroupDriver | undefined {
  return word === 'systemd' || word === 'cgroupfs' ? word : undefined;
}
