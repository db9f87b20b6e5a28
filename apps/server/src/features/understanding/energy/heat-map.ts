import type { AnalyticsMeasure } from '@voisol/contract/analytics'
import type { EnergySeries } from '@voisol/contract/energy'
import { dayOf, listDays, localTime } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Period } from './period.ts'
import type { MemberSelection } from './scope.ts'
import { loadEnergySeries } from './series.ts'

export async function loadEnergyHeatMap(
  db: Db,
  actor: Actor,
  query: Period & MemberSelection & { measure: AnalyticsMeasure },
) {
  const series = await loadEnergySeries(db, actor, { ...query, granularity: 'hour' }, [query.measure])
  const days = listDays(query.from, query.to)
  return { days, hours: groupByWallClockHour(series, query.measure, days) }
}

/** A repeated hour is the mean of both; a skipped one stays unknown. */
export function groupByWallClockHour(
  { starts, ...columns }: EnergySeries,
  measure: AnalyticsMeasure,
  days: string[],
): (number | null)[][] {
  const rowOf = new Map(days.map((day, at) => [day, at]))
  const sums = days.map(() => Array.from({ length: 24 }, () => ({ wh: 0, n: 0 })))
  for (const [at, start] of starts.entries()) {
    const minute = Date.parse(start) / 60_000
    const value = columns[measure][at]
    const cell = sums[rowOf.get(dayOf(minute)) ?? -1]?.[Math.floor(localTime(minute).minuteOfDay / 60)]
    if (!cell || typeof value !== 'number') continue
    cell.wh += value
    cell.n++
  }
  return sums.map((row) => row.map(({ wh, n }) => (n ? Math.round((wh / n) * 1000) / 1000 : null)))
}
