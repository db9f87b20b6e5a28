import type { ParticipantDetail, ParticipantDraft, ParticipantUpdate } from '@voisol/contract/participants'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buyers, consents, participants, participations, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { missingName, namesOf, type ParticipantRow } from './identity.ts'
import { participantScope } from './scope.ts'
import { getParticipant } from './view.ts'

type Draft = z.output<typeof ParticipantDraft>
type Update = z.output<typeof ParticipantUpdate>

const one = (actor: Actor, id: string) => and(participantScope(actor), eq(participants.id, id))

/** One of the company's participants, held until the transaction ends. */
export async function lockParticipant(tx: Db, actor: Actor, id: string): Promise<ParticipantRow> {
  const [row] = await tx.select().from(participants).where(one(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Throws unless the participant is one the actor may see. */
export async function requireParticipant(db: Db, actor: Actor, id: string): Promise<void> {
  const [row] = await db.select({ id: participants.id }).from(participants).where(one(actor, id))
  if (!row) throw new AppError('not-found')
}

export async function saveParticipant(tx: Db, actor: Actor, id: string, values: Partial<ParticipantRow>) {
  await tx
    .update(participants)
    .set({ ...values, version: sql`${participants.version} + 1` })
    .where(one(actor, id))
}

function requireName(input: Draft | Update) {
  const names = namesOf(input)
  const { field, message } = missingName(names.kind)
  if (!names.name) throw fieldError(field, message)
  return names
}

export async function createParticipant(tx: Db, actor: Actor, input: Draft): Promise<ParticipantDetail> {
  const values = { ...input, ...requireName(input), companyId: actor.companyId }
  const [row] = await tx.insert(participants).values(values).returning({ id: participants.id })
  if (!row) throw new AppError('conflict')
  return getParticipant(tx, actor, row.id)
}

export async function updateParticipant(tx: Db, actor: Actor, id: string, input: Update) {
  const row = await lockParticipant(tx, actor, id)
  const { version: _, ...values } = input
  const names = requireName(input)
  requireVersion(row, { ...input, ...names })
  const before = await getParticipant(tx, actor, id)
  await saveParticipant(tx, actor, id, { ...values, ...names })
  return { before, after: await getParticipant(tx, actor, id) }
}

/** Whoever sells, or sold, stays with its invoices. */
async function requireNoSeller(tx: Db, { companyId, id, name }: ParticipantRow) {
  const [seller] = await tx
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.participantId, id)))
  if (seller)
    throw new AppError('conflict', {
      message: `«\u00a0${name}\u00a0» est un vendeur de la facturation\u00a0: retirez-le d’abord de ses vendeurs.`,
    })
}

/** Whoever takes or took part stays; the others go with what they agreed to. */
export async function removeParticipant(tx: Db, actor: Actor, id: string): Promise<ParticipantRow> {
  const row = await lockParticipant(tx, actor, id)
  await requireNoSeller(tx, row)
  const [kept] = await tx
    .select({ id: participations.id })
    .from(participations)
    .where(and(eq(participations.companyId, actor.companyId), eq(participations.participantId, id)))
    .limit(1)
  if (kept)
    throw new AppError('conflict', {
      message: `«\u00a0${row.name}\u00a0» a pris part à une opération\u00a0: mettez fin à ses participations, son historique est conservé.`,
    })
  await tx.delete(consents).where(and(eq(consents.companyId, actor.companyId), eq(consents.participantId, id)))
  await tx.delete(buyers).where(and(eq(buyers.companyId, actor.companyId), eq(buyers.participantId, id)))
  await tx.delete(participants).where(one(actor, id))
  return row
}
