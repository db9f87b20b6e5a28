import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { toCurveDays } from './days.ts'
import { reportGaps } from './gaps.ts'
import { buildIntervals, type Intervals } from './intervals.ts'
import { buildQuestions, isStepCertain } from './questions.ts'
import type { RawFile } from './raw.ts'
import type { ParseReport } from './report.ts'
import { type ReadingConventions, resolveConventions } from './settle.ts'
import { buildTimeline, type CurveTimeline, reportNonexistentTimes } from './timeline.ts'
import {
  type CurveFileChoices,
  type DetectedConventions,
  FileRefusedError,
  type ParsedFile,
  type ParsedSeries,
} from './types.ts'

/** Turns what a reader found into whole local days, and says how it understood the file. */
export function assembleFile(file: RawFile, choices: CurveFileChoices, report: ParseReport): ParsedFile {
  const settled = resolveConventions(file, choices)
  // The columns of a table share their stamps: time is settled once for all of them.
  const timelines = new Map<Int32Array, CurveTimeline>()
  const met = { steps: new Set<number>(), readings: 0 }
  const series: ParsedSeries[] = file.curves.map((curve) => {
    const timeline = timelines.get(curve.stamps) ?? buildTimeline(curve, settled)
    timelines.set(curve.stamps, timeline)
    reportNonexistentTimes(curve, timeline, report)
    const intervals = buildIntervals(curve, timeline, curve.unit ?? settled.unit, report)
    reportGaps(intervals, curve.prm, report)
    countReadings(intervals, met)
    return { prm: curve.prm, direction: curve.direction ?? choices.direction ?? null, days: toCurveDays(intervals) }
  })
  if (met.readings === 0)
    throw new FileRefusedError(
      `Ce fichier ne contient aucune valeur lisible. ${report.problems[0]?.message ?? ''}`.trim(),
    )
  report.problems.sort((a, b) => a.line - b.line)
  const detected = describeFile(file, settled, series, met)
  const questions = buildQuestions(file, settled, detected)
  return { detected, series, questions, problems: report.problems, counts: report.counts }
}

function countReadings({ length, watts, steps }: Intervals, met: { steps: Set<number>; readings: number }): void {
  for (let at = 0; at < length; at++) {
    if (watts[at] === MISSING) continue
    met.readings++
    met.steps.add(steps[at] ?? 0)
  }
}

function describeFile(
  file: RawFile,
  settled: ReadingConventions,
  series: ParsedSeries[],
  met: { steps: Set<number>; readings: number },
): DetectedConventions {
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
