import type { ReconciledMonth } from '@voisol/contract/reconciliation'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { today } from '../../../today.ts'
import { reconcile } from './reconcile.ts'
import { readTolerance } from './tolerance.ts'
import { monthView } from './verdict.ts'

/** Collective self-consumption did not exist before. */
const FIRST = '2017-01-01'

/** Every month of which the distributor gave something, the latest first. */
export async function reconciledMonths(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<{ toleranceWh: number; items: ReconciledMonth[] }> {
  const asked = { operationId, from: FIRST, to: addMonths(monthOf(today()), 1) }
  const results = await snapshot(db, (view) => reconcile(view, companyId, [asked]))
  return { toleranceWh: await readTolerance(db, companyId), items: results.map(monthView).reverse() }
}
