import { dayStart } from '@voisol/energy/calendar'
import { keySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Values } from './energies.ts'
import { loadInput } from './input.ts'
import { type MemberLevels, memberLevels } from './levels.ts'
import type { RunRow } from './runs.ts'
import { knownValues, monthWithin, stepOf } from './steps.ts'
import { readDays } from './stored-days.ts'

/**
 * All that a run knew and gave over some of its days, within one month: energies by point and step as they were known
 * then, what was given, -1 where nothing is known, and the keys over the same steps.
 */
export async function explainDays(db: Db, run: RunRow, period: Period) {
  const stored = await readDays(db, run, period.from, period.to)
  const [first] = stored
  if (!first) return undefined
  const step = stepOf(first)
  const around = run.estimated ? monthWithin(run, period.from) : period
  const values = await knownValues(db, run, around, stored)
  const at = (day: string) => (dayStart(day) - dayStart(around.from)) / step
  const [from, to] = [at(period.from), at(period.to)]
  const place = (day: string) => at(day) - from
  const given = new Map<string, Int32Array>()
  for (const { pointId, day, allocated } of stored) {
    const own = given.get(pointId) ?? new Int32Array(to - from).fill(-1)
    given.set(pointId, own)
    own.set(allocated, place(day))
  }
  const { companyId, operationId, estimated, estimateBy } = run
  const input = await loadInput(db, { companyId, operationId, ...period, estimated, estimateBy })
  const directions = new Map(stored.map(({ pointId, direction }) => [pointId, direction]))
  const cut = ({ values, marks, levels }: Values): Values => ({
    values: values.subarray(from, to),
    marks: marks.subarray(from, to),
    levels: levels.subarray(from, to),
  })
  return {
    step,
    steps: to - from,
    place,
    keys: input.keys,
    spans: await keySpans(db, input, input.keys, period),
    points: [...given].map(([id, local]) => {
      const known = values.get(id)
      return { id, direction: directions.get(id) ?? 'consumption', local, known: known && cut(known) }
    }),
    levelsOf: (id: string, active: [number, number][]): MemberLevels | undefined => {
      const known = values.get(id)
      return known && memberLevels(id, cut(known), active, period, step)
    },
  }
}
export type Explained = NonNullable<Awaited<ReturnType<typeof explainDays>>>
