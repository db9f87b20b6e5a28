import { isKnownStep } from './codes.ts'
import type { StampPosition } from './types.ts'

/** Fewer rows than this at a coarser step, beside finer ones, are rows that lack, not a change of step. */
const MIN_SUSTAINED_ROWS = 4

type StepRun = { from: number; to: number; step: number }

/** Stretches of equal distance between stamps; 0 where the distance is no step. */
function listRuns(instants: Int32Array): StepRun[] {
  const runs: StepRun[] = []
  for (let at = 1; at < instants.length; at++) {
    const distance = (instants[at] ?? 0) - (instants[at - 1] ?? 0)
    const step = isKnownStep(distance) ? distance : 0
    const last = runs.at(-1)
    if (last && last.step === step) last.to = at
    else runs.push({ from: at, to: at, step })
  }
  return runs
}

function refineRuns(runs: StepRun[]): void {
  const before = runs.map((run) => ({ ...run }))
  for (const [n, run] of runs.entries()) {
    if (run.step === 0 || run.to - run.from + 1 >= MIN_SUSTAINED_ROWS) continue
    const finer = [before[n - 1]?.step ?? 0, before[n + 1]?.step ?? 0].filter((step) => step > 0 && step < run.step)
    const fit = finer.find((step) => run.step % step === 0)
    if (fit) run.step = fit
  }
}

/**
 * The step of each reading, from ascending distinct stamps: the distance to the stamp before when stamps close the interval,
 * to the stamp after when they open it, and that of the neighbours beside a hole.
 */
export function inferSteps(instants: Int32Array, stamp: StampPosition): Uint8Array {
  const steps = new Uint8Array(instants.length)
  const runs = listRuns(instants)
  refineRuns(runs)
  // The distance number n lies between the readings n - 1 and n.
  const shift = stamp === 'end' ? 0 : -1
  for (const { from, to, step } of runs) if (step > 0) steps.fill(step, from + shift, to + shift + 1)
  const forward = stamp === 'end'
  fillHoles(steps, forward)
  fillHoles(steps, !forward)
  return steps
}

/** Gives a reading without a step that of the next one (`ahead`) or of the one before. */
function fillHoles(steps: Uint8Array, ahead: boolean): void {
  for (let n = 1; n < steps.length; n++) {
    const at = ahead ? steps.length - 1 - n : n
    if (steps[at] === 0) steps[at] = steps[at + (ahead ? 1 : -1)] ?? 0
  }
}
