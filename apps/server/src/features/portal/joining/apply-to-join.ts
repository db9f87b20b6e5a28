import type { JoinDraft, JoinSignature, OwnApplication } from '@voisol/contract/joining'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { requireLinkRequestId } from '../../../core/public-links.ts'
import { buildSignatureProof, getSignatureOrigin } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { getToday } from '../../../today.ts'
import { loadEnergyPrices } from '../../analytics/insights/index.ts'
import { listCurrentConsentTexts } from '../../energy/consents/index.ts'
import { getJoinLinkPurpose, sendJoinLinkMail, sendJoinSignedMail } from './application-mails.ts'
import { checkJoinPerimeter } from './application-queries.ts'
import { type ApplicationRow, getApplicationState, moveApplication } from './application-state.ts'
import { type JoinPageContext, loadJoinPageOfOperation, requireOpenJoinPage } from './join-page.ts'
import { loadFirstEntryDay, parseJoinAddress } from './join-settings.ts'
import { buildAgreementText, loadSignedDocumentFile, storeSignedDocument } from './signed-documents.ts'

type JoinContext = RouteContext<undefined>
type JoinInput = z.output<typeof JoinDraft>

const HOUR_SECONDS = 3600
/** Limits applications per source and per mail address, so that nobody is flooded with mails. */
async function throttleApplication({ aside, request }: JoinContext, email: string) {
  await throttle(aside, `join ip ${getClientNetwork(request.ip)}`, 30, HOUR_SECONDS)
  await throttle(aside, `join email ${email}`, 5, HOUR_SECONDS)
}
const throttleKeyUse = ({ aside, request }: JoinContext) =>
  throttle(aside, `join key ${getClientNetwork(request.ip)}`, 120, HOUR_SECONDS)

/** The same answer for everybody, whether the person is known or not. */
const APPLICATION_SENT = {
  success: true as const,
  message:
    'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre adresse, lire l’accord et le signer.',
}
const OPEN_STATES = ['draft', 'verified', 'waiting']

function toApplicationValues({ website: _, kind, name, firstName, lastName, ...rest }: JoinInput) {
  if (kind === 'organisation' && !name) throw fieldError('name', 'Indiquez le nom de votre organisation.')
  const shown = kind === 'organisation' ? name : `${firstName} ${lastName}`
  return { ...rest, participantKind: kind, name: shown, firstName, lastName }
}

/** One open application per address and meter: sent again before it is confirmed, the newer data replaces the older. */
async function storeApplication(tx: Db, { page }: JoinPageContext, input: JoinInput): Promise<ApplicationRow> {
  const { companyId, operationId } = page
  const values = toApplicationValues(input)
  const [added] = await tx
    .insert(applications)
    .values({ companyId, operationId, kind: 'join', state: 'draft', ...values })
    .onConflictDoNothing()
    .returning()
  if (added) return added
  const same = and(
    eq(applications.companyId, companyId),
    eq(applications.operationId, operationId),
    eq(applications.kind, 'join'),
    eq(applications.email, values.email),
    eq(applications.prm, values.prm),
    inArray(applications.state, OPEN_STATES),
  )
  const [row] = await tx.select().from(applications).where(same).for('update')
  if (!row) throw new AppError('conflict')
  if (getApplicationState(row) !== 'draft') return row
  const one = and(eq(applications.companyId, companyId), eq(applications.id, row.id))
  const [changed] = await tx.update(applications).set(values).where(one).returning()
  return changed ?? row
}

const toMailOperation = ({ operation, page }: JoinPageContext) => ({ name: operation.name, slug: page.slug })

export async function submitApplication(ctx: JoinContext, address: string, input: JoinInput) {
  await throttleApplication(ctx, input.email)
  const open = await requireOpenJoinPage(ctx.db, ctx.request.hostname, address)
  const { companyId } = open.page
  if (input.website) {
    ctx.note({ companyId, target: '', detail: { script: true } })
    return APPLICATION_SENT
  }
  const reach = await checkJoinPerimeter(ctx.db, open.operation, input)
  if (reach?.verdict === 'refused') throw fieldError('city', reach.message)
  const row = await storeApplication(ctx.db, open, input)
  await sendJoinLinkMail(ctx.db, ctx, row, toMailOperation(open))
  // Does not name the visitor, whose data must be erased in time.
  ctx.note({ companyId, target: row.id, detail: { operation: open.operation.name } })
  return APPLICATION_SENT
}

/** Locks the application of a link; the page address gives the company, the link the rest. */
async function lockApplicationByKey(
  ctx: JoinContext,
  address: string,
  key: string,
): Promise<{ row: ApplicationRow; open: JoinPageContext }> {
  await throttleKeyUse(ctx)
  const place = parseJoinAddress(address)
  if (!place) throw new AppError('not-found')
  const { companyId } = place
  const id = requireLinkRequestId(ctx.secrets, getJoinLinkPurpose(companyId), key)
  const one = and(eq(applications.companyId, companyId), eq(applications.id, id), eq(applications.kind, 'join'))
  const [row] = await ctx.db.select().from(applications).where(one).for('update')
  if (!row) throw new AppError('link-expired')
  return { row, open: await loadJoinPageOfOperation(ctx.db, companyId, row.operationId) }
}

const getOrganiserName = ({ operation, company }: JoinPageContext) => operation.pmoName || company.name

async function loadAgreementText(db: Db, row: ApplicationRow, open: JoinPageContext) {
  const { page, operation } = open
  const { local } = await loadEnergyPrices(db, page.companyId, operation.id, getToday())
  return buildAgreementText(row, { ...page, operation, organiser: getOrganiserName(open), price: local })
}

async function loadOwnApplication(db: Db, row: ApplicationRow, open: JoinPageContext): Promise<OwnApplication> {
  const { proof } = row
  return {
    state: getApplicationState(row),
    name: row.name,
    email: row.email,
    address: `${row.address}, ${row.postalCode} ${row.city}`,
    prm: row.prm,
    operation: open.operation.name,
    organiser: getOrganiserName(open),
    ...(proof ? { text: proof.text, hash: proof.hash } : await loadAgreementText(db, row, open)),
    texts: listCurrentConsentTexts(),
    firstOn: await loadFirstEntryDay(db, row.companyId, open.operation),
    effectiveOn: row.effectiveOn,
    reason: row.reason,
    hasPaper: row.fileId !== null,
  }
}

/** Opening the link proves that the person reads that mailbox. */
export async function confirmApplication(ctx: JoinContext, address: string, key: string): Promise<OwnApplication> {
  const { row, open } = await lockApplicationByKey(ctx, address, key)
  const now = getApplicationState(row) === 'draft' ? await moveApplication(ctx.db, row, 'verified') : row
  ctx.note({ companyId: row.companyId, target: row.id, detail: { before: row.state, after: now.state } })
  return loadOwnApplication(ctx.db, now, open)
}

type SignApplicationInput = z.output<typeof JoinSignature>

export async function signApplication(
  ctx: JoinContext,
  address: string,
  { key, consents, ...signature }: SignApplicationInput,
) {
  const { row, open } = await lockApplicationByKey(ctx, address, key)
  const { companyId, operationId, id } = row
  if (getApplicationState(row) === 'waiting') return loadOwnApplication(ctx.db, row, open)
  if (!open.page.isOpen)
    throw new AppError('conflict', { message: 'Cette opération n’accueille plus personne pour le moment.' })
  const proof = buildSignatureProof(await loadAgreementText(ctx.db, row, open), signature, {
    what: 'L’accord',
    ...getSignatureOrigin(ctx),
  })
  const given = listCurrentConsentTexts().filter(({ purpose }) => consents.includes(purpose))
  const file = await storeSignedDocument(ctx, companyId, {
    name: `accord-de-participation-${getToday()}.pdf`,
    title: 'Accord de participation',
    subject: open.operation.name,
    proof,
    given,
  })
  const values = { proof, fileId: file.id, consents: given.map(({ purpose, version }) => ({ purpose, version })) }
  const after = await moveApplication(ctx.db, row, 'waiting', values)
  await sendJoinSignedMail(ctx.db, ctx, after, toMailOperation(open))
  ctx.note({ companyId, target: id, detail: { hash: proof.hash, version: open.page.agreementVersion } })
  const data = { applicationId: id, operationId, kind: 'join' as const }
  await recordEvent(ctx.db, { companyId, name: 'application.received', object: id, data })
  return loadOwnApplication(ctx.db, after, open)
}

export async function withdrawApplication(ctx: JoinContext, address: string, key: string) {
  const { row } = await lockApplicationByKey(ctx, address, key)
  const { companyId, operationId, id } = row
  if (getApplicationState(row) === 'withdrawn') return { success: true as const }
  const wasSigned = getApplicationState(row) === 'waiting'
  await moveApplication(ctx.db, row, 'withdrawn', { decidedAt: new Date() })
  ctx.note({ companyId, target: id })
  const data = { applicationId: id, operationId, kind: 'join' as const, state: 'withdrawn' as const, effectiveOn: null }
  if (wasSigned) await recordEvent(ctx.db, { companyId, name: 'application.decided', object: id, data })
  return { success: true as const }
}

export async function loadOwnSignedDocument(ctx: JoinContext, address: string, key: string) {
  const { row } = await lockApplicationByKey(ctx, address, key)
  return loadSignedDocumentFile(ctx.db, ctx.files, row)
}
