import { addDays } from '@voisol/energy/calendar'
import { and, gte, isNull, lte } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { toApiKeyEventData } from './api-keys.ts'

/** Days before expiry on which a warning is sent, each once. */
const WARNING_DAYS = [1, 7, 30] as const
const MAX_WARNING_DAYS = 30

const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days

/** Runs daily: records an event for keys about to expire, unless they have been rotated. */
export async function recordExpiringApiKeys(deps: Deps, day = getToday()): Promise<void> {
  const notReplaced = and(isNull(apiKeys.revokedAt), isNull(apiKeys.retiresAt))
  const expiresSoon = and(gte(apiKeys.expiresOn, day), lte(apiKeys.expiresOn, addDays(day, MAX_WARNING_DAYS)))
  const rows = await deps.db
    .select()
    .from(apiKeys)
    .where(and(notReplaced, expiresSoon))
    .orderBy(apiKeys.companyId, apiKeys.id)
  for (const { companyId, expiresOn, ...key } of rows) {
    const left = daysBetween(day, expiresOn ?? day)
    const warning = WARNING_DAYS.find((days) => left <= days)
    if (warning === undefined) continue
    await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      recordEvent(tx, {
        companyId,
        name: 'apikey.expiry-approached',
        object: key.id,
        data: { ...toApiKeyEventData(key), on: expiresOn ?? day, left, warning },
        by: { job: 'api-keys.expiry', secrets: deps.secrets },
        once: `${key.id} ${expiresOn} ${warning}`,
      }),
    )
  }
}
