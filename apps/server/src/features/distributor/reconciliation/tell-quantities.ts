import type { RecordEventInput } from '../../../core/events.ts'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

/** New or changed quantities of a point. */
export type NewQuantities = { operationId: string; pointId: string; from: string; to: string }

/** Records one event per operation, with all days concerned. */
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
