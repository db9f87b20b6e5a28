import { randomInt } from 'node:crypto'
import type { EventData } from '@voisol/contract/events'
import type { Mandate, MandateAccount, MandateDraft, MandateSignature } from '@voisol/contract/mandates'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { buildSignatureProof, getWitness, type SignatureOrigin } from '../../../core/signature.ts'
import { getFileKey, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { files, mandates, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent, recordEvents } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { requireSignedFileType } from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { requireValidIban, sealAccountIban } from './bank-accounts.ts'
import { computeLapseDay, loadMandate, type MandateRow, mandateScope } from './list-mandates.ts'
import { loadMandateText, type MandateCreditor, requireMandateCreditor } from './mandate-text.ts'

type MandateRef = { id: string; creditorId: string; participantId: string }
type StoppedMandate = MandateRef & { status: EventData<'mandate.stopped'>['status'] }
type SignedMandate = MandateRef & { method: string; signedOn: string; replaced: StoppedMandate[] }

const toMandateEventData = ({ id: mandateId, creditorId, participantId }: MandateRef) => ({
  mandateId,
  creditorId,
  participantId,
})

export const recordMandateEvents = (
  tx: Db,
  companyId: number,
  name: 'mandate.changed' | 'mandate.resumed',
  all: MandateRef[],
) =>
  recordEvents(
    tx,
    companyId,
    name,
    all.map((one) => ({ object: one.id, data: toMandateEventData(one) })),
  )

export const recordMandatesStopped = (tx: Db, companyId: number, all: StoppedMandate[]) =>
  recordEvents(
    tx,
    companyId,
    'mandate.stopped',
    all.map((one) => ({ object: one.id, data: { ...toMandateEventData(one), status: one.status } })),
  )

/** Records stopped mandates before the signed ones, so that a subscriber never sees two active at once. */
export async function recordMandatesSigned(tx: Db, companyId: number, all: SignedMandate[]) {
  await recordMandatesStopped(
    tx,
    companyId,
    all.flatMap(({ replaced }) => replaced),
  )
  const signed = all.map((one) => ({
    object: one.id,
    data: { ...toMandateEventData(one), method: one.method, signedOn: one.signedOn },
  }))
  await recordEvents(tx, companyId, 'mandate.signed', signed)
}

const recordLapseApproached = (tx: Db, secrets: Secrets, companyId: number, one: MandateRef, on: string) =>
  recordEvent(tx, {
    companyId,
    name: 'mandate.lapse-approached',
    object: one.id,
    data: { ...toMandateEventData(one), on },
    by: { job: 'mandates.lapse', secrets },
  })

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

async function lockMandate(tx: Db, actor: Actor, id: string): Promise<MandateRow> {
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

/** How many days before a mandate lapses people are notified. */
const LAPSE_NOTICE_DAYS = 60

async function notifyLapse(deps: Deps, row: MandateRow & { participant: string }, lapsesOn: string) {
  await transaction(scopeToCompany(deps.db, row.companyId), async (tx) => {
    const [updated] = await tx
      .update(mandates)
      .set({ lapseToldOn: getToday() })
      .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, row.id), isNull(mandates.lapseToldOn)))
      .returning({ id: mandates.id })
    if (!updated) return
    await notify(tx, deps, {
      companyId: row.companyId,
      to: { permission: 'mandates.write' },
      category: 'billing',
      type: 'warning',
      priority: 'normal',
      title: `Le mandat ${row.rum} va devenir caduc`,
      message: `Sans prélèvement d’ici au ${formatLongDay(lapsesOn)}, ${row.participant} devra signer un nouveau mandat.`,
      action: { label: 'Voir les mandats', url: '/billing?tab=prelevements' },
      key: `mandate-lapse ${row.id} ${lapsesOn}`,
    })
    await recordLapseApproached(tx, deps.secrets, row.companyId, row, lapsesOn)
  })
}

/** Runs each night: ends mandates unused for too long, and announces those that soon will be. */
export async function lapseMandates(deps: Deps) {
  const rows = await deps.db
    .select({ row: mandates, participant: participants.name })
    .from(mandates)
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .where(eq(mandates.status, 'active'))
  const day = getToday()
  const soon = Temporal.PlainDate.from(day).add({ days: LAPSE_NOTICE_DAYS }).toString()
  for (const [companyId, own] of Map.groupBy(rows, ({ row }) => row.companyId)) {
    const months = (await loadSettingsOn(deps.db, companyId, day))['mandate.lapseMonths'].value
    for (const { row, participant } of own) {
      const lapsesOn = computeLapseDay(row, months)
      const reason = `Aucun prélèvement depuis ${months} mois.`
      if (lapsesOn <= day)
        await transaction(scopeToCompany(deps.db, companyId), async (tx) =>
          recordMandatesStopped(
            tx,
            companyId,
            await stopMandates(tx, companyId, eq(mandates.id, row.id), { status: 'lapsed', reason }),
          ),
        )
      else if (lapsesOn <= soon && row.lapseToldOn === null) await notifyLapse(deps, { ...row, participant }, lapsesOn)
    }
  }
}

/** Stores the scan of a mandate signed on paper; an earlier scan stays stored as evidence. */
export async function saveScannedMandate(
  tx: Db,
  store: FileStore,
  actor: Actor,
  id: string,
  upload: { name: string; content: Uint8Array },
) {
  const row: MandateRow = await lockMandate(tx, actor, id)
  if (row.method === 'screen')
    throw new AppError('conflict', {
      message: `Le mandat ${row.rum} a été signé à l’écran\u00a0: sa preuve est déjà enregistrée, un papier n’y ajoute rien.`,
    })
  const name = sanitizeFileName(upload.name)
  const mediaType = requireSignedFileType(name, upload.content)
  const file = await storeFile(tx, store, row.companyId, { name, mediaType, content: upload.content })
  await tx
    .update(mandates)
    .set({ fileId: file.id, version: sql`${mandates.version} + 1` })
    .where(and(eq(mandates.companyId, row.companyId), eq(mandates.id, id)))
  return { file, after: await loadMandate(tx, actor, id) }
}

export async function loadScannedMandate(db: Db, store: FileStore, actor: Actor, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(mandates)
    .innerJoin(files, and(eq(files.companyId, mandates.companyId), eq(files.id, mandates.fileId)))
    .where(and(mandateScope(actor), eq(mandates.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, type: row.file.mediaType, content }
}
