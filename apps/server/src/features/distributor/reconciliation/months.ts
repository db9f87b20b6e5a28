import type { ReconciledMonth } from '@voisol/contract/reconciliation'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import { getToday } from '../../../today.ts'
import { reconcileMonths } from './reconcile.ts'
import { loadTolerance } from './tolerance.ts'
import { toReconciledMonth } from './verdict.ts'

/** French law introduced collective self-consumption in 2017. */
const FIRST_MONTH = '2017-01-01'

/** Every month with data from the distributor, latest first. */
export async function listReconciledMonths(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<{ toleranceWh: number; items: ReconciledMonth[] }> {
  const asked = { operationId, from: FIRST_MONTH, to: addMonths(monthOf(getToday()), 1) }
  const results = await readSnapshot(db, (view) => reconcileMonths(view, companyId, [asked]))
  return { toleranceWh: await loadTolerance(db, companyId), items: results.map(toReconciledMonth).reverse() }
}
