import { type Row, rowOf, type Shape } from './features.ts'
import type { Frame } from './frame.ts'
import { dayOfHour, type Run } from './types.ts'
import { announced } from './weather-hours.ts'

/** What a model learns from: one row per hour of daylight and lead. */
export type Lesson = Row & { y: number; day: number; lead: number }

/** More rows than this are thinned out evenly, so that a night's work stays a matter of seconds. */
const MOST = 16_000

/** Of many days and leads every `stride`-th pair. */
const isKept = (day: number, lead: number, stride: number) => (day + lead) % stride === 0

function isOpen({ y, light }: Frame, at: number): boolean {
  return at >= 0 && at < y.length && (light.level[at] ?? 0) > 0 && !Number.isNaN(y[at] ?? Number.NaN)
}

function openHours(frame: Frame): number {
  let count = 0
  for (let at = 0; at < frame.y.length; at++) if (isOpen(frame, at)) count++
  return count
}

/** An hour before which nothing was ever measured teaches nothing about the past. */
const firstTaught = ({ lags }: Shape, lead: number) => (lags ? 7 + lead : 0)

export function historyLessons(frame: Frame, shape: Shape, leads: number[]): Lesson[] {
  const stride = Math.ceil((openHours(frame) * leads.length) / MOST)
  const lessons: Lesson[] = []
  for (let at = 0; at < frame.y.length; at++) {
    if (!isOpen(frame, at)) continue
    const day = Math.floor(at / 24)
    for (const lead of leads) {
      if (!isKept(frame.firstDay + day, lead, stride) || day < firstTaught(shape, lead)) continue
      const row = rowOf(frame, { at, lastDay: day - lead - 1, lead }, shape)
      lessons.push({ ...row, y: frame.y[at] ?? 0, day: frame.firstDay + day, lead })
    }
  }
  return lessons
}

type Pair = { run: ReturnType<typeof announced>; at: number; lead: number }

function pairsOf(frame: Frame, runs: Run[], leads: number[]): Pair[] {
  const wanted = new Set(leads)
  return runs.flatMap((issued) => {
    const run = announced(issued)
    const pairs: Pair[] = []
    for (let hour = run.first; hour < run.first + run.count; hour++) {
      const at = hour - frame.firstDay * 24
      const lead = dayOfHour(hour) - run.issuedDay
      if (!wanted.has(lead) || !isOpen(frame, at) || Number.isNaN(run.at('ghi', hour))) continue
      pairs.push({ run, at, lead })
    }
    return pairs
  })
}

export function weatherLessons(frame: Frame, shape: Shape, leads: number[], runs: Run[]): Lesson[] {
  const pairs = pairsOf(frame, runs, leads)
  const stride = Math.ceil(pairs.length / MOST)
  return pairs
    .filter(({ at, lead }) => isKept(frame.firstDay + Math.floor(at / 24), lead, stride))
    .map(({ run, at, lead }) => {
      const row = rowOf(frame, { at, lastDay: run.issuedDay - frame.firstDay - 1, lead }, shape, run)
      return { ...row, y: frame.y[at] ?? 0, day: frame.firstDay + Math.floor(at / 24), lead }
    })
}
