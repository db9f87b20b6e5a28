import { addDays } from '@voisol/energy/calendar'
import { and, gte, isNull, lte } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { forCompany, transaction } from '../../../db/client.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { toldOf } from './api-keys.ts'

/** How many days before its end people are told, each once. */
const WARNINGS = [1, 7, 30] as const
const LONGEST = 30

const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days

/** Each day: keys whose last day comes near, unless another has taken their place. */
export async function tellExpiring(deps: Deps, day = today()): Promise<void> {
  const due = and(isNull(apiKeys.revokedAt), isNull(apiKeys.retiresAt))
  const near = and(gte(apiKeys.expiresOn, day), lte(apiKeys.expiresOn, addDays(day, LONGEST)))
  const rows = await deps.db.select().from(apiKeys).where(and(due, near)).orderBy(apiKeys.companyId, apiKeys.id)
  for (const { companyId, expiresOn, ...key } of rows) {
    const left = daysBetween(day, expiresOn ?? day)
    const warning = WARNINGS.find((days) => left <= days)
    if (warning === undefined) continue
    await transaction(forCompany(deps.db, companyId), (tx) =>
      record(tx, {
        companyId,
        name: 'apikey.expiry-approached',
        object: key.id,
        data: { ...toldOf(key), on: expiresOn ?? day, left, warning },
        by: { job: 'api-keys.expiry', secrets: deps.secrets },
        once: `${key.id} ${expiresOn} ${warning}`,
      }),
    )
  }
}
