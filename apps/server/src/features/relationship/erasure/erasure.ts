import type { ErasureFacts } from '@voisol/contract/erasure'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { deleteUnreferencedFiles } from '../../../core/kept-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { eraseMessages, erasePerson } from './erase.ts'
import { type ErasableParticipant, loadErasureFacts } from './facts.ts'

export { loadErasureFacts } from './facts.ts'

const isParticipant = (companyId: number, id: string) =>
  and(eq(participants.companyId, companyId), eq(participants.id, id))

export async function loadErasureFactsById(db: Db, actor: Actor, id: string): Promise<ErasureFacts> {
  const [row] = await db
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return loadErasureFacts(db, row)
}

const isDue = ({ possibleOn, open }: ErasureFacts) => possibleOn !== null && possibleOn <= getToday() && open === 0

/** Erases at once, or schedules it for the first possible day. */
async function eraseOrSchedule(tx: Db, participant: ErasableParticipant): Promise<unknown> {
  const facts = await loadErasureFacts(tx, participant)
  if (isDue(facts)) return erasePerson(tx, participant)
  return tx
    .update(participants)
    .set({ erasureAskedOn: participant.erasureAskedOn ?? getToday(), version: sql`${participants.version} + 1` })
    .where(isParticipant(participant.companyId, participant.id))
}

export async function requestErasure(tx: Db, actor: Actor, id: string, version: number): Promise<ErasureFacts> {
  const [row] = await tx
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if (row.erasedOn) throw new AppError('conflict', { message: 'Cette personne est déjà effacée.' })
  const { running } = await loadErasureFacts(tx, row)
  if (running.length)
    throw new AppError('conflict', {
      message: `Cette personne prend encore part à ${running.join(', ')}\u00a0: mettez d’abord fin à sa participation.`,
    })
  await eraseOrSchedule(tx, row)
  return loadErasureFactsById(tx, actor, id)
}

/**
 * Requested by the person while closing the account: messages are erased at once, the rest once nothing prevents it.
 */
export async function requestOwnErasure(tx: Db, { companyId, userId }: Actor, ids: string[]): Promise<void> {
  await deleteUnreferencedFiles(tx, companyId, await eraseMessages(tx, companyId, userId))
  if (!ids.length) return
  await tx
    .update(participants)
    .set({ erasureAskedOn: getToday() })
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids), isNull(participants.erasedOn)))
}

/** Erases the due participants, one by one, so that a failure does not block the others. */
export async function eraseDueParticipants(db: Db, companyId: number): Promise<void> {
  const waiting = await db
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(eq(participants.companyId, companyId), isNotNull(participants.erasureAskedOn), isNull(participants.erasedOn)),
    )
  for (const { id } of waiting)
    await transaction(db, async (tx) => {
      const [row] = await tx.select().from(participants).where(isParticipant(companyId, id)).for('update')
      if (row && !row.erasedOn && isDue(await loadErasureFacts(tx, row))) await erasePerson(tx, row)
    })
}
