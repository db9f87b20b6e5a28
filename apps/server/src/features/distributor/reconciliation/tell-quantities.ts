import type { RecordEventInput } from '../../../core/events.ts'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** Quantities of a point that say something new. */
export type NewQuantities = { operationId: string; pointId: string; from: string; to: string }

/** Once for each operation, with all the days they are of. */
export async function recordNewQuantities(
  tx: Db,
  companyId: number,
  news: readonly NewQuantities[],
  by: RecordEventInput['by'],
) {
  for (const [operationId, own] of Map.groupBy(news, (one) => one.operationId)) {
    const data = {
      operationId,
      points: new Set(own.map(({ pointId }) => pointId)).size,
      from: own.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
      to: own.map(({ to }) => to).reduce((a, b) => (a > b ? a : b)),
    }
    await recordEvent(tx, { companyId, name: 'quantities.received', object: operationId, data, by })
  }
}
