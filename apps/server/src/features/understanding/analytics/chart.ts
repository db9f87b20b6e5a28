import type { EnergySeries } from '@voisol/contract/energy'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { drawnSeries, requirePeriod } from '../energy/energy.ts'
import type { Where } from './compare.ts'

/** At the finest step that has room. */
export const chartOf = (db: Db, actor: Actor, query: Where & { width: number }): Promise<EnergySeries> =>
  drawnSeries(db, actor, {
    ...requirePeriod(query),
    operationId: query.operationId,
    granularity: '15min',
    width: query.width,
  })
