import type { Usage } from '@voisol/contract/usage'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { gatewayLimits } from '../../../db/schema/index.ts'
import { tableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { getSubscription } from '../subscription/subscription.ts'
import { callMonths, type Month, mailMonths, pointMonths, storageMonths } from './months.ts'
import { reachedIn } from './reach.ts'

const usedOf = (months: Month[], limit: number | null = null) => ({ used: months.at(-1)?.value ?? 0, limit, months })

async function callLimit(db: Db, companyId: number): Promise<number | null> {
  const [row] = await db.select().from(gatewayLimits).where(eq(gatewayLimits.companyId, companyId))
  return row?.perMonth ?? null
}

/** What a company uses: points as its plan counts them, and what was counted or is kept anyway. */
export async function readUsage(db: Db, actor: Actor): Promise<Usage> {
  const { companyId } = actor
  const { points } = await getSubscription(db, actor)
  const months = await pointMonths(db, companyId)
  return {
    points: { ...points, months, reached: reachedIn(months, points.used, points.limit) },
    calls: usedOf(await callMonths(db, companyId), await callLimit(db, companyId)),
    storage: usedOf(await storageMonths(db, companyId)),
    mails: usedOf(await mailMonths(db, companyId)),
  }
}

const HEADER = ['Mois', 'Points de mesure', 'Appels d’API', 'Fichiers conservés (octets)', 'Messages envoyés']

export async function usageFile(db: Db, actor: Actor) {
  const { points, calls, storage, mails } = await readUsage(db, actor)
  const rows = points.months.map(({ month, value }, at) => [
    month.slice(0, 7),
    value,
    calls.months[at]?.value ?? 0,
    storage.months[at]?.value ?? 0,
    mails.months[at]?.value ?? 0,
  ])
  return tableFile('utilisation', 'csv', HEADER, rows)
}
