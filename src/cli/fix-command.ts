import type { ClusterPort } from '../collect/cluster/port.ts';
import { applyFix } from '../fix/apply.ts';
import { type Chosen, chooseFix, NoChoice } from '../fix/choose.ts';
import { commandLine } from '../fix/command-line.ts';
import { movable, podsOn } from '../fix/drain.ts';
import { type FixPlan, isEmpty, planFix, surveyFor } from '../fix/plan.ts';
import { RISKS } from '../fix/risk.ts';
import type { HostRunner } from '../fix/runners.ts';
import { viewOf } from '../fix/view.ts';
import { type Watched, watch } from '../fix/watch.ts';
import type { Cause } from '../model/cause.ts';
import { isHostChange } from '../model/change.ts';
import type { FixOutcome, PlanView } from '../model/plan-view.ts';
import type { Incident, Report } from '../model/report.ts';
import { DEEP } from './deep.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { consent } from './fix-consent.ts';
import { writeFiles } from './fix-files.ts';
import type { FixFlags } from './fix-flags.ts';
import { needsPod, runnersFor, thisHost } from './fix-hosts.ts';
import { lookerFor } from './fix-look.ts';
import { outcomeOf } from './fix-outcome.ts';
import { printOutcome, printPlan } from './fix-print.ts';
import { createFixProgress } from './fix-progress.ts';
import { runOptions, whoami } from './fix-retrace.ts';
import { sourceOf } from './fix-source.ts';
import { write } from './output.ts';
import { causesFor } from './own-causes.ts';

/** Plans, shows, and with `--apply` asks, does, and proves. */
export async function fixCommand(what: string | undefined, flags: FixFlags): Promise<number> {
  if (flags.resume !== undefined) return (await import('./resume-command.ts')).resumeCommand(flags.resume, flags);
  const causes = await causesFor(flags);
  const { report, port } = await sourceOf(what, flags, causes);
  try {
    const run = new FixRun(report, causes, port, flags, what);
    return await run.go();
  } catch (error) {
    if (error instanceof NoChoice) throw new UsageError(error.message);
    throw error;
  } finally {
    port?.close();
  }
}

class FixRun {
  private readonly report: Report;
  private readonly causes: readonly Cause[];
  private readonly port: ClusterPort | undefined;
  private readonly flags: FixFlags;
  private readonly what: string | undefined;
  private readonly chosen: Chosen;
  private readonly nodes: readonly string[];
  private readonly progress = createFixProgress(process.stderr);
  private view: PlanView | undefined;
  private runnerOf: (node: string) => HostRunner | undefined;

  constructor(report: Report, causes: readonly Cause[], port: ClusterPort | undefined, flags: FixFlags, what: string | undefined) {
    this.report = report;
    this.causes = causes;
    this.port = port;
    this.flags = flags;
    this.what = what;
    this.chosen = chooseFix(report, causes, flags);
    const node = flags.node ?? this.chosen.node ?? (flags.here || port === undefined ? thisHost() : undefined);
    this.nodes = node === undefined ? [] : [node, ...(flags.allNodes ? this.chosen.alike : [])];
    this.runnerOf = runnersFor(flags, port, false);
  }

  async go(): Promise<number> {
    const { flags } = this;
    const answers = new Map(flags.set.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const));
    if (flags.output === 'survey') return this.printSurvey(surveyFor(this.chosen, answers));
    if (flags.apply && flags.survey.length > 0)
      throw new UsageError('a host that was only surveyed cannot be changed from here: -o script writes what to run on it.');
    if (this.touchesHosts() && (flags.deep || flags.apply)) await this.allowPods();
    const plan = await planFix({
      chosen: this.chosen,
      report: this.report,
      nodes: this.nodes,
      runnerOf: this.runnerOf,
      answers,
      ...(this.port ? { port: this.port } : {}),
    });
    const view = viewOf(plan, {
      affected: await this.affected(plan),
      quietMinutes: this.quietSeconds() / 60,
      ...(flags.apply ? {} : { next: this.command('--apply'), exact: this.command('--via', 'ssh {node} sudo') }),
    });
    if (flags.output !== 'terminal' && flags.output !== 'json') return writeFiles(plan, flags.output, flags.wave);
    // One document for scripts: with --apply the plan is inside the outcome.
    if (!(flags.apply && flags.output === 'json')) await printPlan(view, flags);
    this.view = view;
    if (!flags.apply) return view.refused.length > 0 || this.chosen.changes.length === 0 ? EXIT.undecided : EXIT.healthy;
    return this.apply(plan, view);
  }

  private async printSurvey(script: string | undefined): Promise<number> {
    if (script === undefined) throw new UsageError('this fix changes nothing on a host, so there is nothing to survey.');
    await write(script);
    return EXIT.healthy;
  }

  private touchesHosts(): boolean {
    return this.chosen.changes.some(isHostChange);
  }

  /** A host that is only reached by a pod is read by one: that, too, is asked first. */
  private async allowPods(): Promise<void> {
    const { flags, port } = this;
    const far = this.nodes.filter((node) => needsPod(flags, node));
    if (far.length === 0 || port === undefined) return;
    const question = `create short-lived privileged pods on ${far.join(', ')} to reach the hosts (${flags.deepImage ?? DEEP.image})`;
    const allowed = await consent(`podcause would ${question}. Go on`, 'touches-node', flags.yes);
    this.runnerOf = runnersFor(flags, port, allowed);
  }

  private async affected(plan: FixPlan): Promise<readonly string[]> {
    const { port } = this;
    const touched = plan.hosts.filter(({ steps }) => steps.some(({ kind }) => kind === 'units' || kind === 'package'));
    if (port === undefined) return touched.map(({ node }) => `pods of ${node}; the cluster was not asked which`);
    const lines: string[] = [];
    for (const { node } of touched) {
      const pods = await podsOn(port, node).catch(() => undefined);
      if (pods === undefined) lines.push(`pods of ${node}; they may not be listed`);
      else
        lines.push(
          `${node} runs ${pods.length} pods; they may restart${this.flags.drain ? `, ${movable(pods).length} are moved away first` : ''}`,
        );
    }
    if (this.chosen.alike.length > 0 && !this.flags.allNodes) {
      lines.push(`the same cause is on ${this.chosen.alike.join(', ')}; --all-nodes fixes them after this one has proved itself`);
    }
    return lines;
  }

  private quietSeconds(): number {
    return this.flags.quietTime ?? this.chosen.cause.verify.quietForMinutes * 60;
  }

  /** What was typed, with more to it. */
  private command(...more: readonly string[]): string {
    const { incident, fix, namespace, context, node, here, via, deep, allNodes, drain, set } = this.flags;
    const given = (flag: string, value: string | number | undefined) => (value === undefined ? [] : [flag, String(value)]);
    return commandLine([
      'podcause',
      'fix',
      this.what,
      ...given('-i', incident),
      ...given('--fix', fix),
      ...given('-n', namespace),
      ...given('--context', context),
      ...given('--node', node),
      here ? '--here' : undefined,
      ...given('--via', via),
      deep ? '--deep' : undefined,
      allNodes ? '--all-nodes' : undefined,
      drain ? '--drain' : undefined,
      ...set.flatMap((one) => ['--set', one]),
      ...more,
    ]);
  }

  private async apply(plan: FixPlan, view: PlanView): Promise<number> {
    const { chosen, flags } = this;
    const hindered = view.refused;
    if (chosen.changes.length === 0) throw new UsageError('podcause cannot do this fix by itself; the steps above are for you.');
    if (hindered.length > 0) throw new UsageError(`nothing was changed, since not all of it can be done:\n  ${hindered.join('\n  ')}`);
    if (chosen.cause.maturity !== 'stable')
      throw new UsageError(`${chosen.cause.id} is too new in the catalogue to be fixed by podcause; the steps are for you.`);
    if (isEmpty(plan)) {
      process.stderr.write(`${wordNote('everything is as it should be already; nothing was changed.')}\n`);
      return this.finish(plan, [], Date.now());
    }
    for (const risk of RISKS.filter((one) => view.steps.some((step) => step.risk === one))) {
      const count = view.steps.filter((step) => step.risk === risk).length;
      if (!(await consent(`${count} ${count === 1 ? 'step' : 'steps'} (${risk}) as shown above: go on`, risk, flags.yes))) {
        process.stderr.write(`${wordNote('nothing was changed.')}\n`);
        return EXIT.found;
      }
    }
    return this.make(plan);
  }

  private async make(plan: FixPlan): Promise<number> {
    const began = Date.now();
    const { port, flags } = this;
    const applied = await applyFix({
      plan,
      ...(port ? { port } : {}),
      runnerOf: this.runnerOf,
      who: whoami(),
      lock: runOptions(),
      waveSize: flags.wave,
      drain: flags.drain === true,
      despiteOwner: flags.despiteOwner === true,
      onStep: (says) => this.progress.step(says),
      settle: (nodes) => this.watchFrom(began, nodes),
    });
    if (applied.ending === 'done') return this.finish(plan, applied.steps, began);
    await this.tell({
      version: 1,
      id: plan.id,
      outcome: applied.ending,
      says: applied.stopped ?? 'it did not end well',
      steps: applied.steps,
      changed: [],
      ...(applied.ending === 'stopped' ? { next: `podcause undo ${plan.id} --apply` } : {}),
    });
    return EXIT.found;
  }

  private watchFrom(began: number, nodes: readonly string[]): Promise<Watched> {
    const { incident } = this.chosen;
    const look = lookerFor({
      incident: this.incidentsOn(nodes, incident),
      causes: this.causes,
      ...(this.port ? { port: this.port } : {}),
      runners: nodes.flatMap((node) => this.runnerOf(node) ?? []),
      since: began,
    });
    const quietSeconds = this.quietSeconds();
    return watch(look, {
      quietSeconds,
      patienceSeconds: 300,
      everySeconds: 10,
      onLook: (seen, quietFor) => this.progress.look(seen, quietFor, quietSeconds),
    });
  }

  /** The victims on all the nodes watched together. */
  private incidentsOn(nodes: readonly string[], incident: Incident): Incident {
    const others = this.report.incidents.filter(
      (one) => one.cause === incident.cause && nodes.some((node) => one.placeId === `Node/${node}`),
    );
    return {
      ...incident,
      victims: [...new Map([incident, ...others].flatMap(({ victims }) => victims).map((one) => [one.id, one])).values()],
    };
  }

  private async finish(plan: FixPlan, steps: FixOutcome['steps'], began: number): Promise<number> {
    if (!this.flags.verify) {
      await this.tell({
        version: 1,
        id: plan.id,
        outcome: 'unknown',
        says: 'done, and not verified',
        steps,
        changed: [],
        next: `podcause undo ${plan.id} --apply`,
      });
      return EXIT.undecided;
    }
    const nodes = plan.hosts.map(({ node }) => node);
    const watched = await this.watchFrom(began, nodes);
    const outcome = outcomeOf({ id: plan.id, incident: this.chosen.incident, watched, steps });
    await this.tell(outcome);
    return outcome.outcome === 'fixed' ? EXIT.healthy : outcome.outcome === 'unknown' ? EXIT.undecided : EXIT.found;
  }

  private async tell(outcome: FixOutcome): Promise<void> {
    this.progress.done();
    await printOutcome(outcome, this.flags, this.view);
  }
}
