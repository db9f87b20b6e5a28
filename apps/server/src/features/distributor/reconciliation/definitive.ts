import { addMonths } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { ourClasses, theirClasses } from './classes.ts'
import { readMemberships } from './memberships.ts'
import { daysOver } from './scene.ts'
import { definitiveOf, readTheirPeriods } from './their-months.ts'

/** What a consumer was given of a time class over a month. */
export type BilledQuantity = {
  pointId: string
  prm: string
  label: string
  /** A class of the grid's calendar, or what the distributor calls it. */
  name: string
  wh: number
  source: 'distributor' | 'ours'
}

/** By consumer and class what bills are made of: the distributor's definitive quantities, and ours where it gave none. */
export const definitiveQuantities = (db: Db, companyId: number, operationId: string, month: string) =>
  snapshot(db, (view) => readQuantities(view, companyId, operationId, month))

async function readQuantities(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<BilledQuantity[]> {
  const asked = { operationId, from: month, to: addMonths(month, 1) }
  const memberships = (await readMemberships(db, companyId, [asked])).get(operationId)
  if (!memberships) return []
  const periods = Map.groupBy(await readTheirPeriods(db, companyId, [asked]), ({ pointId }) => pointId)
  const days = daysOver(month)
  const ours = await ourClasses(db, companyId, asked)
  const found: BilledQuantity[] = []
  for (const { pointId, prm, label, direction } of memberships.points.values()) {
    if (direction !== 'consumption') continue
    const due = days.filter((day) => memberships.inOurs(pointId, day) && memberships.inTheirs(pointId, day) !== false)
    const quantity = definitiveOf(periods.get(pointId) ?? [], due)
    const theirs = quantity?.covers ? await theirClasses(db, companyId, pointId, quantity) : undefined
    const source = theirs ? ('distributor' as const) : ('ours' as const)
    for (const [name, wh] of theirs ?? ours.get(pointId) ?? []) found.push({ pointId, prm, label, name, wh, source })
  }
  return found
}
