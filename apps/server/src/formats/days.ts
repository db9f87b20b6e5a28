import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import type { Intervals } from './intervals.ts'
import type { CurveDay } from './types.ts'

const computeGcd = (a: number, b: number): number => (b === 0 ? a : computeGcd(b, a % b))

type DaySpan = { day: string; from: number; to: number; opens: number; minutes: number; step: Step }

/**
 * Whole local days, each at the finest step that all of its intervals share: the mean power of a coarser interval holds in
 * each of its parts, so that nothing is lost. A day without any value is left out.
 */
export function toCurveDays(intervals: Intervals): CurveDay[] {
  const spans = listDaySpans(intervals)
  const size = spans.reduce((sum, { minutes, step }) => sum + minutes / step, 0)
  const watts = new Int32Array(size).fill(MISSING)
  const quality = new Uint8Array(size)
  const lines = new Int32Array(size)
  let at = 0
  return spans.map((span) => {
    const length = span.minutes / span.step
    const day: CurveDay = {
      day: span.day,
      step: span.step,
      watts: watts.subarray(at, at + length),
      quality: quality.subarray(at, at + length),
      lines: lines.subarray(at, at + length),
    }
    at += length
    fillDay(day, span, intervals)
    return day
  })
}

function listDaySpans({ length, starts, steps, watts }: Intervals): DaySpan[] {
  const spans: DaySpan[] = []
  let at = 0
  while (at < length) {
    const day = dayOf(starts[at] ?? 0)
    const opens = dayStart(day)
    const minutes = minutesOfDay(day)
    const from = at
    let step = 0
    for (; at < length && (starts[at] ?? 0) < opens + minutes; at++)
      if (watts[at] !== MISSING && steps[at] !== step) step = computeGcd(step, steps[at] ?? 0)
    const known = STEPS.find((one) => one === step)
    if (known) spans.push({ day, from, to: at, opens, minutes, step: known })
  }
  return spans
}

function fillDay({ watts, quality, lines, step }: CurveDay, { from, to, opens }: DaySpan, intervals: Intervals): void {
  for (let at = from; at < to; at++) {
    const value = intervals.watts[at] ?? MISSING
    if (value === MISSING) continue
    const first = ((intervals.starts[at] ?? 0) - opens) / step
    const end = first + (intervals.steps[at] ?? 0) / step
    const known = intervals.quality[at] ?? 0
    const line = intervals.lines[at] ?? 0
    for (let n = first; n < end; n++) {
      watts[n] = value
      quality[n] = known
      lines[n] = line
    }
  }
}
