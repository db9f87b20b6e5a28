import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { daysBetween } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { MOST, requirePeriod, seriesOf } from '../energy/energy.ts'
import type { Where } from './compare.ts'

const STEPS: { granularity: Granularity; inDay: number }[] = [
  { granularity: '15min', inDay: 96 },
  { granularity: 'hour', inDay: 24 },
  { granularity: 'day', inDay: 1 },
]

/** The finest step that makes no more points than there is room for. A day of 25 hours counts as one. */
export function granularityFor(days: number, width: number): Granularity {
  const fits = STEPS.find(({ granularity, inDay }) => days * inDay + inDay / 24 <= width && days <= MOST[granularity])
  return fits?.granularity ?? 'month'
}

export function chartOf(db: Db, actor: Actor, query: Where & { width: number }): Promise<EnergySeries> {
  const period = requirePeriod(query)
  const granularity = granularityFor(daysBetween(period.from, period.to), query.width)
  return seriesOf(db, actor, { ...period, operationId: query.operationId, granularity })
}
