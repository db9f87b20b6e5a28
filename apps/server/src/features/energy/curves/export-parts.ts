import { addDays, dayStart } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { formatMinuteAsIso } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { hideOutsideRanges } from './aligned.ts'
import type { CurveSlice } from './export-lines.ts'
import { loadAlignedCurves } from './read.ts'
import type { ReadablePoint } from './scope.ts'

export type CurveExtract = { db: Db; companyId: number; points: ReadablePoint[]; from: string; to: string; step: Step }

/** Number of values in memory at a time. */
const MAX_VALUES_IN_MEMORY = 60_000

/** Watts of the points over [from, to), exact since the step is the points' own. */
async function loadWatts(extract: CurveExtract): Promise<Int32Array[]> {
  const { db, companyId, points, from, to, step } = extract
  const ids = points.map(({ id }) => id)
  const curves = await loadAlignedCurves(db, companyId, ids, from, to, step)
  return points.map(({ id, spans }) => {
    const curve = curves.get(id)
    if (!curve) return new Int32Array(0)
    hideOutsideRanges(curve, spans, from, to, step)
    return curve.values.map((value) => (value < 0 ? MISSING : value / step))
  })
}

/** The whole period in slices of some days. */
export async function* streamSlices(extract: CurveExtract): AsyncGenerator<CurveSlice> {
  const perDay = extract.points.length * (1440 / extract.step)
  const days = Math.max(1, Math.min(31, Math.floor(MAX_VALUES_IN_MEMORY / perDay)))
  for (let from = extract.from; from < extract.to; from = addDays(from, days)) {
    const end = addDays(from, days)
    const to = end < extract.to ? end : extract.to
    yield { startsAt: dayStart(from), curves: await loadWatts({ ...extract, from, to }) }
  }
}

export async function* streamJson(extract: CurveExtract): AsyncGenerator<string> {
  const { from, to, step, points } = extract
  const head = { from, to, startsAt: formatMinuteAsIso(dayStart(from)), stepMinutes: step, unit: 'W' }
  yield `${JSON.stringify(head).slice(0, -1)},"points":[`
  const group = Math.max(1, Math.floor(MAX_VALUES_IN_MEMORY / ((dayStart(to) - dayStart(from)) / step)))
  for (let at = 0; at < points.length; at += group) {
    const some = points.slice(at, at + group)
    const curves = await loadWatts({ ...extract, points: some })
    const texts = some.map(({ prm, label, direction }, n) => {
      const watts = Array.from(curves[n] ?? [], (value) => (value < 0 ? null : value))
      return JSON.stringify({ prm, label, direction, watts })
    })
    yield `${at > 0 ? ',' : ''}${texts.join()}`
  }
  yield ']}\n'
}
