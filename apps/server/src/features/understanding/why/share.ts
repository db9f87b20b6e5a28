import type { WhyShare } from '@voisol/contract/why'
import { computeOfferedEnergy } from '@voisol/energy/offer'
import type { ExplainedDays } from '../../energy/allocations/allocations.ts'
import { toWh } from '../energy/energy.ts'

/** Watt-minutes and minutes, over periods that may have several runs. */
export type ShareSums = {
  drawn: number
  sunlit: number
  produced: number
  offered: number | null
  used: number
  unused: number
  producing: number
  surplus: number
  short: number
}

export const createShareSums = (): ShareSums => ({
  drawn: 0,
  sunlit: 0,
  produced: 0,
  offered: 0,
  used: 0,
  unused: 0,
  producing: 0,
  surplus: 0,
  short: 0,
})

type StepRanges = Map<string, [number, number][]>
type ExplainedCurve = { id: string; values: Int32Array; local: Int32Array }

/** Energies while the point took part with known values; -1 elsewhere. */
const listExplainedCurves = ({ points }: ExplainedDays, wantedDirection: string): ExplainedCurve[] =>
  points.flatMap(({ id, direction, local, known }) =>
    direction === wantedDirection && known
      ? [{ id, local, values: local.map((own, at) => (own < 0 ? -1 : (known.values[at] ?? -1))) }]
      : [],
  )

const sumCurvesAt = (curves: ExplainedCurve[], at: number, of: 'values' | 'local') =>
  curves.reduce((sum, curve) => sum + Math.max(0, curve[of][at] ?? 0), 0)

/** Adds the member's share at each step of some days. */
export function addShareSums(sums: ShareSums, explained: ExplainedDays, active: StepRanges): void {
  const producers = listExplainedCurves(explained, 'production')
  const consumers = listExplainedCurves(explained, 'consumption')
  const own = consumers.filter(({ id }) => active.has(id))
  const { steps, step, spans } = explained
  const offers = new Map(
    own.map(({ id }) => [id, computeOfferedEnergy(id, { steps, producers, consumers, keys: spans })]),
  )
  if ([...offers.values()].includes(null)) sums.offered = null
  const isIn = (id: string, at: number) => (active.get(id) ?? []).some(([from, to]) => at >= from && at < to)
  for (let at = 0; at < steps; at++) {
    const activeCurves = own.filter((curve) => isIn(curve.id, at) && (curve.values[at] ?? -1) >= 0)
    if (!activeCurves.length) continue
    const pool = sumCurvesAt(producers, at, 'values')
    const [drawn, local] = [sumCurvesAt(activeCurves, at, 'values'), sumCurvesAt(activeCurves, at, 'local')]
    sums.drawn += drawn
    sums.used += local
    if (pool === 0) continue
    sums.sunlit += drawn
    sums.produced += pool
    sums.producing += step
    if (pool > sumCurvesAt(consumers, at, 'local')) sums.surplus += step
    if (drawn > local) sums.short += step
    if (sums.offered === null) continue
    const offered = activeCurves.reduce((sum, { id }) => sum + (offers.get(id)?.[at] ?? 0), 0)
    sums.offered += offered
    sums.unused += Math.max(0, offered - local)
  }
}

const toHours = (minutes: number) => Math.round((minutes / 60) * 100) / 100

export const toWhyShare = (sums: ShareSums): WhyShare => ({
  sunlit: toWh(sums.sunlit),
  sunlitShare: sums.drawn > 0 ? sums.sunlit / sums.drawn : null,
  produced: toWh(sums.produced),
  offered: sums.offered === null ? null : toWh(sums.offered),
  used: toWh(sums.used),
  unused: sums.offered === null ? null : toWh(sums.unused),
  hours: { producing: toHours(sums.producing), surplus: toHours(sums.surplus), short: toHours(sums.short) },
})
