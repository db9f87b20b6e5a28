import type { Happening } from '../../../core/events.ts'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** Quantities of a point that say something new. */
export type QuantityNews = { operationId: string; pointId: string; from: string; to: string }

/** Once for each operation, with all the days they are of. */
export async function tellQuantities(tx: Db, companyId: number, news: readonly QuantityNews[], by: Happening['by']) {
  for (const [operationId, own] of Map.groupBy(news, (one) => one.operationId)) {
    const data = {
      operationId,
      points: new Set(own.map(({ pointId }) => pointId)).size,
      from: own.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
      to: own.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
    }
    await record(tx, { companyId, name: 'quantities.received', object: operationId, data, by })
  }
}
