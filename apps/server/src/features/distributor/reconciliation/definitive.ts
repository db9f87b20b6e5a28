import { addMonths } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { readSnapshot } from '../../../db/snapshot.ts'
import { loadAllocatedClasses, loadDistributorClasses } from './classes.ts'
import { loadMemberships } from './memberships.ts'
import { listPastDays } from './scene.ts'
import { chooseDefinitiveQuantity, loadDistributorPeriods } from './their-months.ts'

/** The energy of a consumer in a time class over a month. */
export type BilledQuantity = {
  pointId: string
  prm: string
  label: string
  /** A time class of the grid tariff, or the distributor's own name. */
  name: string
  wh: number
  source: 'distributor' | 'ours'
}

/** The quantities that are billed, by consumer and class: definitive ones of the distributor, or else ours. */
export const loadBilledQuantities = (db: Db, companyId: number, operationId: string, month: string) =>
  readSnapshot(db, (view) => readBilledQuantities(view, companyId, operationId, month))

async function readBilledQuantities(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<BilledQuantity[]> {
  const asked = { operationId, from: month, to: addMonths(month, 1) }
  const memberships = (await loadMemberships(db, companyId, [asked])).get(operationId)
  if (!memberships) return []
  const periods = Map.groupBy(await loadDistributorPeriods(db, companyId, [asked]), ({ pointId }) => pointId)
  const days = listPastDays(month)
  const ours = await loadAllocatedClasses(db, companyId, asked)
  const found: BilledQuantity[] = []
  for (const { pointId, prm, label, direction } of memberships.points.values()) {
    if (direction !== 'consumption') continue
    const due = days.filter((day) => memberships.inOurs(pointId, day) && memberships.inTheirs(pointId, day) !== false)
    const quantity = chooseDefinitiveQuantity(periods.get(pointId) ?? [], due)
    const theirs = quantity?.covers ? await loadDistributorClasses(db, companyId, pointId, quantity) : undefined
    const source = theirs ? ('distributor' as const) : ('ours' as const)
    for (const [name, wh] of theirs ?? ours.get(pointId) ?? []) found.push({ pointId, prm, label, name, wh, source })
  }
  return found
}
