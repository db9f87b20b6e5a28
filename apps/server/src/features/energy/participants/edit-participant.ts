import { getMissingNameIssue, normalizeNames } from '@voisol/contract/participant-names'
import type { BankUpdate, ParticipantDetail, ParticipantDraft, ParticipantUpdate } from '@voisol/contract/participants'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { compactIban, findIbanError } from '../../../core/iban.ts'
import type { Db } from '../../../db/client.ts'
import { buyers, consents, participants, participations, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { loadParticipant } from './participant-queries.ts'
import type { ParticipantRow } from './participant-scope.ts'
import { participantScope } from './participant-scope.ts'

type ParticipantInput = z.output<typeof ParticipantDraft>
type UpdateParticipantInput = z.output<typeof ParticipantUpdate>

const isThisParticipant = (actor: Actor, id: string) => and(participantScope(actor), eq(participants.id, id))

/** Locks a participant of the company until the transaction ends. */
export async function lockParticipant(tx: Db, actor: Actor, id: string): Promise<ParticipantRow> {
  const [row] = await tx.select().from(participants).where(isThisParticipant(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Throws unless the actor may see the participant. */
export async function requireParticipant(db: Db, actor: Actor, id: string): Promise<void> {
  const [row] = await db.select({ id: participants.id }).from(participants).where(isThisParticipant(actor, id))
  if (!row) throw new AppError('not-found')
}

export async function updateParticipantRow(tx: Db, actor: Actor, id: string, values: Partial<ParticipantRow>) {
  await tx
    .update(participants)
    .set({ ...values, version: sql`${participants.version} + 1` })
    .where(isThisParticipant(actor, id))
}

function requireParticipantName(input: ParticipantInput | UpdateParticipantInput) {
  const names = normalizeNames(input)
  const { field, message } = getMissingNameIssue(names.kind)
  if (!names.name) throw fieldError(field, message)
  return names
}

export async function createParticipant(tx: Db, actor: Actor, input: ParticipantInput): Promise<ParticipantDetail> {
  const values = { ...input, ...requireParticipantName(input), companyId: actor.companyId }
  const [row] = await tx.insert(participants).values(values).returning({ id: participants.id })
  if (!row) throw new AppError('conflict')
  return loadParticipant(tx, actor, row.id)
}

export async function updateParticipant(tx: Db, actor: Actor, id: string, input: UpdateParticipantInput) {
  const row = await lockParticipant(tx, actor, id)
  const { version: _, ...values } = input
  const names = requireParticipantName(input)
  requireCurrentVersion(row, { ...input, ...names })
  const before = await loadParticipant(tx, actor, id)
  await updateParticipantRow(tx, actor, id, { ...values, ...names })
  return { before, after: await loadParticipant(tx, actor, id) }
}

/** A participant that is a seller cannot be removed. */
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

/** Removes a participant that never took part, with their consents. */
export async function removeParticipant(tx: Db, actor: Actor, id: string): Promise<ParticipantRow> {
  const row = await lockParticipant(tx, actor, id)
  await requireNoSeller(tx, row)
  const [participation] = await tx
    .select({ id: participations.id })
    .from(participations)
    .where(and(eq(participations.companyId, actor.companyId), eq(participations.participantId, id)))
    .limit(1)
  if (participation)
    throw new AppError('conflict', {
      message: `«\u00a0${row.name}\u00a0» a pris part à une opération\u00a0: mettez fin à ses participations, son historique est conservé.`,
    })
  await tx.delete(consents).where(and(eq(consents.companyId, actor.companyId), eq(consents.participantId, id)))
  await tx.delete(buyers).where(and(eq(buyers.companyId, actor.companyId), eq(buyers.participantId, id)))
  await tx.delete(participants).where(isThisParticipant(actor, id))
  return row
}

type UpdateBankInput = z.output<typeof BankUpdate>
const getIbanContext = (companyId: number, id: string) => `iban ${companyId} ${id}`

/** Only for collecting money: no screen shows the full IBAN. */
export const decryptIban = (
  secrets: Secrets,
  { companyId, id, iban }: Pick<ParticipantRow, 'companyId' | 'id' | 'iban'>,
) => (iban === null ? null : secrets.open(iban, getIbanContext(companyId, id)))

function encryptIban(secrets: Secrets, { companyId, id }: ParticipantRow, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, getIbanContext(companyId, id)), ibanEnd: iban.slice(-4) }
}

export async function updateParticipantIban(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  input: UpdateBankInput,
) {
  const row = await lockParticipant(tx, actor, id)
  requireCurrentVersion(row, { version: input.version })
  await updateParticipantRow(tx, actor, id, encryptIban(secrets, row, input.iban))
  return { before: row, after: await loadParticipant(tx, actor, id) }
}
