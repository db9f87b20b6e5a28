import type { EnergySeries } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadEnergyChartSeries, requirePeriod } from '../energy/energy.ts'
import type { AnalyticsFilter } from './compare.ts'

/** At the finest step with enough room. */
export const loadFinestChartSeries = (
  db: Db,
  actor: Actor,
  query: AnalyticsFilter & { width: number },
): Promise<EnergySeries> =>
  loadEnergyChartSeries(db, actor, {
    ...requirePeriod(query),
    operationId: query.operationId,
    granularity: '15min',
    width: query.width,
  })
