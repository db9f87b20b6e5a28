import { dayStart } from '@voisol/energy/calendar'
import { loadKeySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { EnergyValues } from './energies.ts'
import { loadRunInput } from './input.ts'
import { countMemberLevels, type MemberReadingLevels } from './levels.ts'
import type { RunRow } from './runs.ts'
import { getMonthOfRun, getStoredStep, loadKnownValues } from './steps.ts'
import { loadRunDayRows } from './stored-days.ts'

/**
 * Inputs and results of a run for some days of one month: energies by point and step as known then, allocated energies
 * (-1 when unknown), and the keys over the same steps.
 */
export async function loadExplainedDays(db: Db, run: RunRow, period: Period) {
  const stored = await loadRunDayRows(db, run, period.from, period.to)
  const [first] = stored
  if (!first) return undefined
  const step = getStoredStep(first)
  const estimateWindow = run.estimated ? getMonthOfRun(run, period.from) : period
  const values = await loadKnownValues(db, run, estimateWindow, stored)
  const at = (day: string) => (dayStart(day) - dayStart(estimateWindow.from)) / step
  const [from, to] = [at(period.from), at(period.to)]
  const toStep = (day: string) => at(day) - from
  const localById = new Map<string, Int32Array>()
  for (const { pointId, day, allocated } of stored) {
    const own = localById.get(pointId) ?? new Int32Array(to - from).fill(-1)
    localById.set(pointId, own)
    own.set(allocated, toStep(day))
  }
  const { companyId, operationId, estimated, estimateBy } = run
  const input = await loadRunInput(db, { companyId, operationId, ...period, estimated, estimateBy })
  const directions = new Map(stored.map(({ pointId, direction }) => [pointId, direction]))
  const sliceValues = ({ values, marks, levels }: EnergyValues): EnergyValues => ({
    values: values.subarray(from, to),
    marks: marks.subarray(from, to),
    levels: levels.subarray(from, to),
  })
  return {
    step,
    steps: to - from,
    place: toStep,
    keys: input.keys,
    spans: await loadKeySpans(db, input, input.keys, period),
    points: [...localById].map(([id, local]) => {
      const known = values.get(id)
      return { id, direction: directions.get(id) ?? 'consumption', local, known: known && sliceValues(known) }
    }),
    levelsOf: (id: string, active: [number, number][]): MemberReadingLevels | undefined => {
      const known = values.get(id)
      return known && countMemberLevels(id, sliceValues(known), active, period, step)
    },
  }
}
export type ExplainedDays = NonNullable<Awaited<ReturnType<typeof loadExplainedDays>>>
