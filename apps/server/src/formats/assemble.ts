import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { daysOf } from './days.ts'
import { reportGaps } from './gaps.ts'
import { type Intervals, intervalsOf } from './intervals.ts'
import { isStepCertain, questionsOf } from './questions.ts'
import type { RawFile } from './raw.ts'
import type { Report } from './report.ts'
import { type Settled, settle } from './settle.ts'
import { reportNowhere, type Timeline, timelineOf } from './timeline.ts'
import { type Choices, type Detected, FileRefused, type ParsedFile, type ParsedSeries } from './types.ts'

/** Turns what a reader found into whole local days, and says how it understood the file. */
export function assemble(file: RawFile, choices: Choices, report: Report): ParsedFile {
  const settled = settle(file, choices)
  // The columns of a table share their stamps: time is settled once for all of them.
  const timelines = new Map<Int32Array, Timeline>()
  const met = { steps: new Set<number>(), readings: 0 }
  const series: ParsedSeries[] = file.curves.map((curve) => {
    const timeline = timelines.get(curve.stamps) ?? timelineOf(curve, settled)
    timelines.set(curve.stamps, timeline)
    reportNowhere(curve, timeline, report)
    const intervals = intervalsOf(curve, timeline, curve.unit ?? settled.unit, report)
    reportGaps(intervals, curve.prm, report)
    take(intervals, met)
    return { prm: curve.prm, direction: curve.direction ?? choices.direction ?? null, days: daysOf(intervals) }
  })
  if (met.readings === 0)
    throw new FileRefused(`Ce fichier ne contient aucune valeur lisible. ${report.problems[0]?.message ?? ''}`.trim())
  report.problems.sort((a, b) => a.line - b.line)
  const detected = describe(file, settled, series, met)
  const questions = questionsOf(file, settled, detected)
  return { detected, series, questions, problems: report.problems, counts: report.counts }
}

function take({ length, watts, steps }: Intervals, met: { steps: Set<number>; readings: number }): void {
  for (let at = 0; at < length; at++) {
    if (watts[at] === MISSING) continue
    met.readings++
    met.steps.add(steps[at] ?? 0)
  }
}

function describe(
  file: RawFile,
  settled: Settled,
  series: ParsedSeries[],
  met: { steps: Set<number>; readings: number },
): Detected {
  const steps = [...met.steps].sort((a, b) => a - b)
  const { step: _, ...known } = settled
  const days = [...new Set(series.flatMap((one) => one.days.map(({ day }) => day)))].sort()
  return {
    format: file.format,
    ...known,
    steps,
    stepCertain: isStepCertain(file, settled, steps),
    dstDays: days.filter((day) => minutesOfDay(day) !== 1440),
    encoding: file.encoding,
    rows: file.rows,
    readings: met.readings,
    from: days[0] ?? '',
    to: addDays(days.at(-1) ?? '', 1),
  }
}
