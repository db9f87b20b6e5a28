import type { JoinDraft, JoinSignature, OwnApplication } from '@voisol/contract/joining'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { requestOf } from '../../../core/link-key.ts'
import { originOf, proofOf } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import type { Context } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { today } from '../../../today.ts'
import { currentTexts } from '../../energy/consents/consents.ts'
import { pricesOn } from '../../understanding/insights/insights.ts'
import { readAddress } from './address.ts'
import { type ApplicationRow, move, stateOf } from './life-cycle.ts'
import { linkUse, mailLink, mailSigned } from './mails.ts'
import { firstEntry } from './notice.ts'
import { type Open, openPage, organiserName, pageOfOperation } from './page.ts'
import { keepPaper, paperOf } from './paper.ts'
import { reachOf } from './reach.ts'
import { agreementText } from './texts.ts'

export type Visit = Context<undefined>
type Draft = z.output<typeof JoinDraft>

const HOUR = 3600
/** By where it comes from, and by whom it names: nobody is written to all day. */
async function countApplication({ aside, request }: Visit, email: string) {
  await throttle(aside, `join ip ${networkOf(request.ip)}`, 30, HOUR)
  await throttle(aside, `join email ${email}`, 5, HOUR)
}
const countKey = ({ aside, request }: Visit) => throttle(aside, `join key ${networkOf(request.ip)}`, 120, HOUR)

/** The same whoever asks, and whatever is known of them. */
const ANSWER = {
  success: true as const,
  message:
    'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre adresse, lire l’accord et le signer.',
}
const OPEN = ['draft', 'verified', 'waiting']

function valuesOf({ website: _, kind, name, firstName, lastName, ...rest }: Draft) {
  if (kind === 'organisation' && !name) throw fieldError('name', 'Indiquez le nom de votre organisation.')
  const shown = kind === 'organisation' ? name : `${firstName} ${lastName}`
  return { ...rest, participantKind: kind, name: shown, firstName, lastName }
}

/** One request by address and meter at a time: asked again before it is confirmed, the last words count. */
async function keep(tx: Db, { page }: Open, input: Draft): Promise<ApplicationRow> {
  const { companyId, operationId } = page
  const values = valuesOf(input)
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
    inArray(applications.state, OPEN),
  )
  const [row] = await tx.select().from(applications).where(same).for('update')
  if (!row) throw new AppError('conflict')
  if (stateOf(row) !== 'draft') return row
  const one = and(eq(applications.companyId, companyId), eq(applications.id, row.id))
  const [changed] = await tx.update(applications).set(values).where(one).returning()
  return changed ?? row
}

const named = ({ operation, page }: Open) => ({ name: operation.name, slug: page.slug })

export async function apply(ctx: Visit, address: string, input: Draft) {
  await countApplication(ctx, input.email)
  const open = await openPage(ctx.db, ctx.request.hostname, address)
  const { companyId } = open.page
  if (input.website) {
    ctx.note({ companyId, target: '', detail: { script: true } })
    return ANSWER
  }
  const reach = await reachOf(ctx.db, open.operation, input)
  if (reach?.verdict === 'refused') throw fieldError('city', reach.message)
  const row = await keep(ctx.db, open, input)
  await mailLink(ctx.db, ctx, row, named(open))
  // Never who the visitor is, whose data are erased in time.
  ctx.note({ companyId, target: row.id, detail: { operation: open.operation.name } })
  return ANSWER
}

/** The application behind a link, held; the address says the company, the link says the rest. */
async function lockByKey(ctx: Visit, address: string, key: string): Promise<{ row: ApplicationRow; open: Open }> {
  await countKey(ctx)
  const place = readAddress(address)
  if (!place) throw new AppError('not-found')
  const { companyId } = place
  const id = requestOf(ctx.secrets, linkUse(companyId), key)
  const one = and(eq(applications.companyId, companyId), eq(applications.id, id), eq(applications.kind, 'join'))
  const [row] = await ctx.db.select().from(applications).where(one).for('update')
  if (!row) throw new AppError('link-expired')
  return { row, open: await pageOfOperation(ctx.db, companyId, row.operationId) }
}

async function shownTo(db: Db, row: ApplicationRow, open: Open) {
  const { page, operation } = open
  const { local } = await pricesOn(db, page.companyId, operation.id, today())
  return agreementText(row, { ...page, operation, organiser: organiserName(open), price: local })
}

async function own(db: Db, row: ApplicationRow, open: Open): Promise<OwnApplication> {
  const { proof } = row
  return {
    state: stateOf(row),
    name: row.name,
    email: row.email,
    address: `${row.address}, ${row.postalCode} ${row.city}`,
    prm: row.prm,
    operation: open.operation.name,
    organiser: organiserName(open),
    ...(proof ? { text: proof.text, hash: proof.hash } : await shownTo(db, row, open)),
    texts: currentTexts(),
    firstOn: await firstEntry(db, row.companyId, open.operation),
    effectiveOn: row.effectiveOn,
    reason: row.reason,
    hasPaper: row.fileId !== null,
  }
}

/** Whoever opens the link reads that mailbox: the address is theirs. */
export async function verify(ctx: Visit, address: string, key: string): Promise<OwnApplication> {
  const { row, open } = await lockByKey(ctx, address, key)
  const now = stateOf(row) === 'draft' ? await move(ctx.db, row, 'verified') : row
  ctx.note({ companyId: row.companyId, target: row.id, detail: { before: row.state, after: now.state } })
  return own(ctx.db, now, open)
}

type Signed = z.output<typeof JoinSignature>

export async function sign(ctx: Visit, address: string, { key, consents, ...signature }: Signed) {
  const { row, open } = await lockByKey(ctx, address, key)
  const { companyId, operationId, id } = row
  if (stateOf(row) === 'waiting') return own(ctx.db, row, open)
  if (!open.page.isOpen)
    throw new AppError('conflict', { message: 'Cette opération n’accueille plus personne pour le moment.' })
  const proof = proofOf(await shownTo(ctx.db, row, open), signature, { what: 'L’accord', ...originOf(ctx) })
  const given = currentTexts().filter(({ purpose }) => consents.includes(purpose))
  const file = await keepPaper(ctx, companyId, {
    name: `accord-de-participation-${today()}.pdf`,
    title: 'Accord de participation',
    subject: open.operation.name,
    proof,
    given,
  })
  const values = { proof, fileId: file.id, consents: given.map(({ purpose, version }) => ({ purpose, version })) }
  const after = await move(ctx.db, row, 'waiting', values)
  await mailSigned(ctx.db, ctx, after, named(open))
  ctx.note({ companyId, target: id, detail: { hash: proof.hash, version: open.page.agreementVersion } })
  const data = { applicationId: id, operationId, kind: 'join' as const }
  await record(ctx.db, { companyId, name: 'application.received', object: id, data })
  return own(ctx.db, after, open)
}

export async function withdraw(ctx: Visit, address: string, key: string) {
  const { row } = await lockByKey(ctx, address, key)
  const { companyId, operationId, id } = row
  if (stateOf(row) === 'withdrawn') return { success: true as const }
  const wasSigned = stateOf(row) === 'waiting'
  await move(ctx.db, row, 'withdrawn', { decidedAt: new Date() })
  ctx.note({ companyId, target: id })
  const data = { applicationId: id, operationId, kind: 'join' as const, state: 'withdrawn' as const, effectiveOn: null }
  if (wasSigned) await record(ctx.db, { companyId, name: 'application.decided', object: id, data })
  return { success: true as const }
}

export async function ownPaper(ctx: Visit, address: string, key: string) {
  const { row } = await lockByKey(ctx, address, key)
  return paperOf(ctx.db, ctx.files, row)
}
