import { and, desc, eq } from 'drizzle-orm'
import { recordEach } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import { dayOf, today } from '../../../today.ts'
import { consentsOf } from './kept.ts'

/** Nobody is asked more than once a week. */
const PAUSE_DAYS = 7

async function lastAsked(tx: Db, companyId: number, participantId: string): Promise<string | undefined> {
  const [last] = await tx
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, participantId), eq(events.name, 'consent.asked')))
    .orderBy(desc(events.seq))
    .limit(1)
  return last && dayOf(last.at)
}

/** Those who are to be asked: kept until all is done, since it is told last. */
export type Asked = string[]

/** Why the consent to the collection is not asked for; undefined where it is. The participant's row is held by the caller. */
export async function askConsent(tx: Db, companyId: number, participantId: string, asked: Asked) {
  const given = await consentsOf(tx, companyId, [participantId])
  const held = given.find(({ purpose, state }) => purpose === 'collection' && state === 'valid')
  if (held) return `Accord en vigueur jusqu’au ${frenchDay(held.expiresOn)}.`
  const last = await lastAsked(tx, companyId, participantId)
  const pause = last && Temporal.PlainDate.from(last).add({ days: PAUSE_DAYS }).toString()
  if (last && pause && today() < pause) return `Déjà demandé le ${frenchDay(last)}\u00a0: une fois par semaine au plus.`
  asked.push(participantId)
  return undefined
}

export const tellAsked = (tx: Db, companyId: number, asked: Asked) =>
  recordEach(
    tx,
    companyId,
    'consent.asked',
    asked.map((participantId) => ({ object: participantId, data: { participantId, purpose: 'collection' as const } })),
  )
