import type { ErasureFacts } from '@voisol/contract/erasure'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { dropFiles } from '../../../core/kept-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { blankWords, erasePerson } from './erase.ts'
import { erasureFacts, type Participant } from './facts.ts'

export { erasureFacts } from './facts.ts'

const one = (companyId: number, id: string) => and(eq(participants.companyId, companyId), eq(participants.id, id))

export async function lookAt(db: Db, actor: Actor, id: string): Promise<ErasureFacts> {
  const [row] = await db
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return erasureFacts(db, row)
}

const isDue = ({ possibleOn, open }: ErasureFacts) => possibleOn !== null && possibleOn <= today() && open === 0

/** Now where it can be, otherwise noted for the first day on which it can. */
async function eraseOrNote(tx: Db, participant: Participant): Promise<unknown> {
  const facts = await erasureFacts(tx, participant)
  if (isDue(facts)) return erasePerson(tx, participant)
  return tx
    .update(participants)
    .set({ erasureAskedOn: participant.erasureAskedOn ?? today(), version: sql`${participants.version} + 1` })
    .where(one(participant.companyId, participant.id))
}

export async function askErasure(tx: Db, actor: Actor, id: string, version: number): Promise<ErasureFacts> {
  const [row] = await tx
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireVersion(row, { version })
  if (row.erasedOn) throw new AppError('conflict', { message: 'Cette personne est déjà effacée.' })
  const { running } = await erasureFacts(tx, row)
  if (running.length)
    throw new AppError('conflict', {
      message: `Cette personne prend encore part à ${running.join(', ')}\u00a0: mettez d’abord fin à sa participation.`,
    })
  await eraseOrNote(tx, row)
  return lookAt(tx, actor, id)
}

/** Asked for by the person themselves, whose account is closing: their words go at once, the rest when nothing stands in the way. */
export async function noteErasure(tx: Db, { companyId, userId }: Actor, ids: string[]): Promise<void> {
  await dropFiles(tx, companyId, await blankWords(tx, companyId, userId))
  if (!ids.length) return
  await tx
    .update(participants)
    .set({ erasureAskedOn: today() })
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids), isNull(participants.erasedOn)))
}

/** Those whose day has come. Each by itself: one that fails holds up no other. */
export async function eraseDue(db: Db, companyId: number): Promise<void> {
  const waiting = await db
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(eq(participants.companyId, companyId), isNotNull(participants.erasureAskedOn), isNull(participants.erasedOn)),
    )
  for (const { id } of waiting)
    await transaction(db, async (tx) => {
      const [row] = await tx.select().from(participants).where(one(companyId, id)).for('update')
      if (row && !row.erasedOn && isDue(await erasureFacts(tx, row))) await erasePerson(tx, row)
    })
}
