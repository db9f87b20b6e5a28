import { and, desc, eq } from 'drizzle-orm'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { loadConsents } from './kept.ts'

/** At most one request per week. */
const MIN_DAYS_BETWEEN_REQUESTS = 7

async function loadLastRequestDay(tx: Db, companyId: number, participantId: string): Promise<string | undefined> {
  const [last] = await tx
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, participantId), eq(events.name, 'consent.asked')))
    .orderBy(desc(events.seq))
    .limit(1)
  return last && toParisDay(last.at)
}

/** Participants to be asked, collected because the event is recorded last. */
export type RequestedParticipantIds = string[]

/**
 * Why consent to data collection is not requested; undefined when it is. The caller has locked the participant's row.
 */
export async function requestConsent(
  tx: Db,
  companyId: number,
  participantId: string,
  requestedIds: RequestedParticipantIds,
) {
  const consents = await loadConsents(tx, companyId, [participantId])
  const validConsent = consents.find(({ purpose, state }) => purpose === 'collection' && state === 'valid')
  if (validConsent) return `Accord en vigueur jusqu’au ${formatFrenchDay(validConsent.expiresOn)}.`
  const last = await loadLastRequestDay(tx, companyId, participantId)
  const pause = last && Temporal.PlainDate.from(last).add({ days: MIN_DAYS_BETWEEN_REQUESTS }).toString()
  if (last && pause && getToday() < pause)
    return `Déjà demandé le ${formatFrenchDay(last)}\u00a0: une fois par semaine au plus.`
  requestedIds.push(participantId)
  return undefined
}

export const recordConsentRequests = (tx: Db, companyId: number, requestedIds: RequestedParticipantIds) =>
  recordEvents(
    tx,
    companyId,
    'consent.asked',
    requestedIds.map((participantId) => ({
      object: participantId,
      data: { participantId, purpose: 'collection' as const },
    })),
  )
