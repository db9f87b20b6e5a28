import type { Usage } from '@voisol/contract/usage'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { gatewayLimits } from '../../../db/schema/index.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadSubscriptionOverview } from '../subscription/subscription.ts'
import { loadCallMonths, loadMailMonths, loadPointMonths, loadStorageMonths, type MonthUsage } from './months.ts'
import { predictLimitMonth } from './reach.ts'

const toUsage = (months: MonthUsage[], limit: number | null = null) => ({
  used: months.at(-1)?.value ?? 0,
  limit,
  months,
})

async function loadCallLimit(db: Db, companyId: number): Promise<number | null> {
  const [row] = await db.select().from(gatewayLimits).where(eq(gatewayLimits.companyId, companyId))
  return row?.perMonth ?? null
}

/** The usage of a company: points as its plan counts them, calls and storage as already recorded. */
export async function loadUsage(db: Db, actor: Actor): Promise<Usage> {
  const { companyId } = actor
  const { points } = await loadSubscriptionOverview(db, actor)
  const months = await loadPointMonths(db, companyId)
  return {
    points: { ...points, months, reached: predictLimitMonth(months, points.used, points.limit) },
    calls: toUsage(await loadCallMonths(db, companyId), await loadCallLimit(db, companyId)),
    storage: toUsage(await loadStorageMonths(db, companyId)),
    mails: toUsage(await loadMailMonths(db, companyId)),
  }
}

const HEADER = ['Mois', 'Points de mesure', 'Appels d’API', 'Fichiers conservés (octets)', 'Messages envoyés']

export async function buildUsageFile(db: Db, actor: Actor) {
  const { points, calls, storage, mails } = await loadUsage(db, actor)
  const rows = points.months.map(({ month, value }, at) => [
    month.slice(0, 7),
    value,
    calls.months[at]?.value ?? 0,
    storage.months[at]?.value ?? 0,
    mails.months[at]?.value ?? 0,
  ])
  return buildTableFile('utilisation', 'csv', HEADER, rows)
}
