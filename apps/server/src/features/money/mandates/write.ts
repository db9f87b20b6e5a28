import { randomInt } from 'node:crypto'
import type { Mandate, MandateAccount, MandateDraft, MandateSignature } from '@voisol/contract/mandates'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { buildSignatureProof, getWitness, type SignatureOrigin } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { requireValidIban, sealAccountIban } from './ibans.ts'
import { mandateScope } from './scope.ts'
import { recordMandateEvents, recordMandatesSigned, recordMandatesStopped } from './tell.ts'
import { loadMandateText, type MandateCreditor, requireMandateCreditor } from './text.ts'
import { loadMandate, type MandateRow } from './view.ts'

const getSealContext = ({ companyId, id }: Pick<MandateRow, 'companyId' | 'id'>) => `mandate iban ${companyId} ${id}`
/** Only for the file of a debit. */
export const decryptMandateIban = (secrets: Secrets, row: MandateRow) => secrets.open(row.iban, getSealContext(row))
export const decryptFormerIban = (secrets: Secrets, row: MandateRow) =>
  row.formerIban === null ? null : secrets.open(row.formerIban, getSealContext(row))

const RUM_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** Starts with the creditor's number prefix, and has no characters that are confused over the telephone. */
const generateRum = ({ prefix }: MandateCreditor) =>
  `${prefix.replace(/[^A-Z0-9]/g, '')}-${Array.from({ length: 10 }, () => RUM_CHARACTERS[randomInt(RUM_CHARACTERS.length)]).join('')}`

/** Makes concurrent signatures of one participant wait for each other. */
export async function lockDebtor(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
}

/** Stops mandates once, with a reason; one that stopped already is left unchanged. */
export const stopMandates = (
  tx: Db,
  companyId: number,
  where: ReturnType<typeof and>,
  { status, reason }: { status: 'stopped' | 'revoked' | 'lapsed' | 'used'; reason: string },
) =>
  tx
    .update(mandates)
    .set({ status, statusReason: reason, statusOn: getToday(), version: sql`${mandates.version} + 1` })
    .where(and(eq(mandates.companyId, companyId), eq(mandates.status, 'active'), where))
    .returning({ id: mandates.id, creditorId: mandates.creditorId, participantId: mandates.participantId })
    .then((rows) => rows.map((row) => ({ ...row, status })))

type MandateInsert = Omit<
  typeof mandates.$inferInsert,
  'companyId' | 'id' | 'iban' | 'ibanEnd' | 'ibanPrint' | 'statusOn'
>

/** A new mandate stops the older one for the same creditor; the caller records both events last. */
export async function insertMandate(tx: Db, secrets: Secrets, companyId: number, iban: string, values: MandateInsert) {
  const id = crypto.randomUUID()
  const replaced = await stopMandates(
    tx,
    companyId,
    and(eq(mandates.creditorId, values.creditorId), eq(mandates.participantId, values.participantId)),
    { status: 'revoked', reason: `Remplacé par le mandat ${values.rum}.` },
  )
  const row = {
    companyId,
    id,
    statusOn: getToday(),
    ...values,
    ...sealAccountIban(secrets, getSealContext({ companyId, id }), iban),
  }
  await tx.insert(mandates).values(row)
  const { creditorId, participantId, method, signedOn } = values
  return { id, creditorId, participantId, method, signedOn, replaced }
}

async function requireNewRum(tx: Db, companyId: number, rum: string) {
  const [same] = await tx
    .select({ id: mandates.id })
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.rum, rum)))
  if (same)
    throw fieldError('rum', `La référence ${rum} est déjà celle d’un autre mandat\u00a0: choisissez-en une autre.`)
}

/** Signs on screen: stores the text shown, with the typed name, the time and the address of the signer. */
export async function signMandate(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  { creditorId, participantId, name, hash, iban, holder, bic }: z.output<typeof MandateSignature>,
  origin: SignatureOrigin,
): Promise<Mandate> {
  const { companyId } = actor
  await lockDebtor(tx, actor, participantId)
  const creditor = await requireMandateCreditor(tx, companyId, creditorId)
  const displayedText = await loadMandateText(tx, companyId, creditorId, participantId)
  const proof = buildSignatureProof(
    displayedText,
    { name, hash },
    { what: 'Le texte du mandat', ...origin, ...getWitness(actor) },
  )
  const made = await insertMandate(tx, secrets, companyId, requireValidIban(iban), {
    creditorId,
    participantId,
    holder,
    bic,
    proof,
    rum: generateRum(creditor),
    method: 'screen',
    signedOn: getToday(),
    createdBy: formatActorName(actor),
  })
  await recordMandatesSigned(tx, companyId, [made])
  return loadMandate(tx, actor, made.id)
}

/** Adds a mandate signed on paper; its scan is attached afterwards. */
export async function addMandate(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  { rum: givenRum, iban, ...input }: z.output<typeof MandateDraft>,
): Promise<Mandate> {
  const { companyId } = actor
  if (input.signedOn > getToday())
    throw fieldError('signedOn', 'La signature du mandat ne peut pas être dans l’avenir.')
  await lockDebtor(tx, actor, input.participantId)
  const rum = givenRum ?? generateRum(await requireMandateCreditor(tx, companyId, input.creditorId))
  await requireNewRum(tx, companyId, rum)
  const values = { ...input, rum, method: 'paper', createdBy: formatActorName(actor) }
  const made = await insertMandate(tx, secrets, companyId, requireValidIban(iban), values)
  await recordMandatesSigned(tx, companyId, [made])
  return loadMandate(tx, actor, made.id)
}

export async function lockMandate(tx: Db, actor: Actor, id: string): Promise<MandateRow> {
  const [row] = await tx
    .select()
    .from(mandates)
    .where(and(mandateScope(actor), eq(mandates.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

function requireActive(row: MandateRow) {
  if (row.status !== 'active')
    throw new AppError('conflict', { message: `Le mandat ${row.rum} n’est plus actif\u00a0: signez-en un nouveau.` })
}

/** Changes the account of a mandate: the next debit reports it to the bank, if the older account was ever debited. */
export async function changeMandateAccount(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { iban: text, holder, bic, version }: z.output<typeof MandateAccount>,
) {
  const row = await lockMandate(tx, actor, id)
  requireCurrentVersion(row, { holder, bic, version })
  requireActive(row)
  const iban = requireValidIban(text)
  const sealed = sealAccountIban(secrets, getSealContext(row), iban)
  const changed = sealed.ibanPrint !== row.ibanPrint
  const former = row.formerIban ?? (changed && row.lastDebitOn !== null ? row.iban : null)
  // Back to the account that the bank knows: there is no change to report.
  const same = former !== null && secrets.open(former, getSealContext(row)) === iban
  await tx
    .update(mandates)
    .set({ holder, bic, ...sealed, formerIban: same ? null : former, version: row.version + 1 })
    .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, id)))
  if (changed) await recordMandateEvents(tx, row.companyId, 'mandate.changed', [row])
  return { before: row, after: await loadMandate(tx, actor, id) }
}

export async function revokeMandate(
  tx: Db,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<Mandate> {
  const row = await lockMandate(tx, actor, id)
  requireCurrentVersion(row, { version })
  requireActive(row)
  await recordMandatesStopped(
    tx,
    row.companyId,
    await stopMandates(tx, row.companyId, eq(mandates.id, id), { status: 'revoked', reason }),
  )
  return loadMandate(tx, actor, id)
}
