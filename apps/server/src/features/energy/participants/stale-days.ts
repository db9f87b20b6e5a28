import { markStale } from '../../../core/stale.ts'
import type { Db } from '../../../db/client.ts'
import { cover } from './periods.ts'

const REASON = 'Des participations ont changé.'
type Days = { from: string; to: string | null } | null

/** What was computed for these operations over days that changed no longer holds. */
export async function stale(tx: Db, companyId: number, operationIds: string[], changed: Days[]) {
  const days = cover(changed.flatMap((span) => span ?? []))
  if (days) await markStale(tx, companyId, { operationIds, ...days, reason: REASON })
}
