import type { Debit, DebitRun, DebitRunDetail } from '@voisol/contract/debits'
import { describeReturn } from '@voisol/contract/return-codes'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { loadBrand } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, invoices, mandates, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { toStableId } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers } from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { buildBrandUrl, loadMailBrand, renderMail, sendMail } from '../../identity/mail/index.ts'
import { loadBankAccount, loadBankAccounts, recordMandatesStopped, stopMandates } from '../mandates/index.ts'

/**
 * Describes why a debit came back and what follows, by the settings of the day; a second presentation is never
 * repeated.
 */
export async function loadReturnDescriber(
  db: Db,
  companyId: number,
): Promise<(debitId: string, code: string) => string> {
  const retryDays = (await loadSettingsOn(db, companyId, getToday()))['debit.retryDays'].value
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct d.id from debits d
      join debit_invoices i on i.company_id = d.company_id and i.debit_id = d.id
      join debit_invoices j on j.company_id = i.company_id and j.invoice_id = i.invoice_id and j.debit_id <> i.debit_id
      join debits e on e.company_id = j.company_id and e.id = j.debit_id
     where d.company_id = ${companyId} and e.status = 'returned' and e.mandate_id = d.mandate_id
       and e.created_at < d.created_at`)
  const second = new Set(rows.map(({ id }) => id))
  return (debitId, code) => describeReturn(code, retryDays, second.has(debitId))
}

export type DebitRunRow = typeof debitRuns.$inferSelect
export type DebitRow = typeof debits.$inferSelect

async function loadRuns(db: Db, companyId: number, id?: string): Promise<DebitRun[]> {
  const which = id ? eq(debitRuns.id, id) : undefined
  const rows = await db
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), which))
    .orderBy(desc(debitRuns.collectionOn), desc(debitRuns.createdAt))
  const ids = rows.map((row) => row.id)
  const all = ids.length
    ? await db
        .select()
        .from(debits)
        .where(and(eq(debits.companyId, companyId), inArray(debits.runId, ids)))
    : []
  const byRun = Map.groupBy(all, ({ runId }) => runId)
  const accounts = new Map((await loadBankAccounts(db, companyId)).map((account) => [account.id, account]))
  return rows.map((row) => {
    const own = byRun.get(row.id) ?? []
    const live = row.status === 'cancelled' ? own : own.filter(({ status }) => status !== 'cancelled')
    const sum = (status?: string) =>
      live.reduce((total, debit) => total + (!status || debit.status === status ? debit.amount : 0), 0)
    return {
      id: row.id,
      accountId: row.accountId,
      account: accounts.get(row.accountId)?.name ?? '',
      creditor: accounts.get(row.accountId)?.owner ?? '',
      collectionOn: row.collectionOn,
      submitBy: row.submitBy,
      messageId: row.messageId,
      // The column only stores these values.
      state: row.status as DebitRun['state'],
      sentOn: row.sentOn,
      debits: live.length,
      total: sum(),
      collected: sum('collected'),
      returned: sum('returned'),
      by: row.createdBy,
      at: row.createdAt.toISOString(),
      version: row.version,
    }
  })
}

export const listDebitRuns = async (db: Db, companyId: number) => ({ items: await loadRuns(db, companyId) })

async function loadInvoiceLinks(db: Db, companyId: number, ids: string[]) {
  if (!ids.length) return new Map<string, Debit['invoices']>()
  const rows = await db
    .select({
      debitId: debitInvoices.debitId,
      invoiceId: debitInvoices.invoiceId,
      number: invoices.number,
      amount: debitInvoices.amount,
    })
    .from(debitInvoices)
    .innerJoin(invoices, and(eq(invoices.companyId, debitInvoices.companyId), eq(invoices.id, debitInvoices.invoiceId)))
    .where(and(eq(debitInvoices.companyId, companyId), inArray(debitInvoices.debitId, ids)))
    .orderBy(asc(invoices.dueOn), asc(invoices.number))
  return Map.groupBy(rows, ({ debitId }) => debitId)
}

async function loadDebits(db: Db, companyId: number, runId: string): Promise<Debit[]> {
  const rows = await db
    .select({ debit: debits, mandate: mandates, participant: participants.name })
    .from(debits)
    .innerJoin(mandates, and(eq(mandates.companyId, debits.companyId), eq(mandates.id, debits.mandateId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, mandates.companyId), eq(participants.id, mandates.participantId)),
    )
    .where(and(eq(debits.companyId, companyId), eq(debits.runId, runId)))
    .orderBy(asc(participants.name))
  const links = await loadInvoiceLinks(
    db,
    companyId,
    rows.map(({ debit }) => debit.id),
  )
  const describeReturn = await loadReturnDescriber(db, companyId)
  return rows.map(({ debit, mandate, participant }) => ({
    id: debit.id,
    mandateId: mandate.id,
    rum: mandate.rum,
    participantId: mandate.participantId,
    participant,
    ibanEnd: mandate.ibanEnd,
    amount: debit.amount,
    invoices: (links.get(debit.id) ?? []).map(({ invoiceId, number, amount }) => ({ invoiceId, number, amount })),
    endToEndId: debit.endToEndId,
    sequence: debit.sequence,
    // The column only stores these values.
    state: debit.status as Debit['state'],
    noticedAt: debit.noticedAt?.toISOString() ?? null,
    collectedOn: debit.collectedOn,
    returnedOn: debit.returnedOn,
    returnCode: debit.returnCode,
    returned: debit.status === 'returned' ? describeReturn(debit.id, debit.returnCode) : '',
  }))
}

export async function loadDebitRun(db: Db, companyId: number, id: string): Promise<DebitRunDetail> {
  const [run] = await loadRuns(db, companyId, id)
  if (!run) throw new AppError('not-found')
  return { ...run, items: await loadDebits(db, companyId, id) }
}

type RunEventName = 'debits.announced' | 'debits.filed' | 'debits.sent' | 'debits.cancelled'

/** Called last in the transaction, so that the event holds the final state of the run. */
export async function recordRunEvent(
  tx: Db,
  companyId: number,
  name: RunEventName,
  run: DebitRunDetail,
): Promise<DebitRunDetail> {
  const { id: runId, accountId, collectionOn, debits, total } = run
  await recordEvent(tx, { companyId, name, object: runId, data: { runId, accountId, collectionOn, debits, total } })
  return run
}

const toDebitEventData = ({ id: debitId, runId, mandateId, amount }: DebitRow) => ({
  debitId,
  runId,
  mandateId,
  amount,
})

export const recordDebitReturned = (tx: Db, debit: DebitRow, { code, on }: { code: string; on: string }) =>
  recordEvent(tx, {
    companyId: debit.companyId,
    name: 'debit.returned',
    object: debit.id,
    data: { ...toDebitEventData(debit), code, on },
  })

export const recordReturnCancelled = (tx: Db, debit: DebitRow) =>
  recordEvent(tx, {
    companyId: debit.companyId,
    name: 'debit.return-cancelled',
    object: debit.id,
    data: { ...toDebitEventData(debit), code: debit.returnCode },
  })

type DebitNotice = {
  debitId: string
  participantId: string
  rum: string
  ibanEnd: string
  amount: number
  collectionOn: string
  numbers: string[]
  creditor: { name: string; ics: string }
}
type NoticeDeps = Pick<Deps, 'secrets' | 'config'>

type NoticeText = { title: string; body: (contact: string) => string[] }

/** Replies go to the creditor's contact, since the sender address is not read. */
async function composeNotice(
  db: Db,
  config: Deps['config'],
  companyId: number,
  { creditor }: DebitNotice,
  words: NoticeText,
) {
  const { contact } = await loadBrand(db, companyId)
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: words.title,
    paragraphs: words.body(contact),
    action: { label: 'Voir mes factures', url: buildBrandUrl(config, brand, '/client-portal/invoices') },
    footer: `${creditor.name} — message envoyé par Voisol.`,
    by: creditor.name,
    brand,
  })
  return { ...(contact && { replyTo: contact }), subject: `${words.title} — ${creditor.name}`, ...layout }
}

async function sendNotice(tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice, words: NoticeText) {
  const email = (await loadBuyers(tx, companyId, [to.participantId])).get(to.participantId)?.email
  if (!email) return false
  const content = await composeNotice(tx, deps.config, companyId, to, words)
  const id = toStableId(`${words.title} ${to.debitId}`)
  await sendMail(tx, deps.secrets, { to: email, ...content }, { id, companyId })
  return true
}

function buildNoticeText(to: DebitNotice): NoticeText {
  const about = to.numbers.length > 1 ? `les factures ${to.numbers.join(', ')}` : `la facture ${to.numbers[0] ?? ''}`
  return {
    title: `Prélèvement du ${formatLongDay(to.collectionOn)}`,
    body: (contact) => [
      `Bonjour,\nvotre compte finissant par ${to.ibanEnd} sera débité de ${formatEuros(to.amount)} le ${formatLongDay(to.collectionOn)} pour ${about}.`,
      `Créancier\u00a0: ${to.creditor.name}, ICS ${to.creditor.ics}. Référence de votre mandat (RUM)\u00a0: ${to.rum}.`,
      `Vous n’avez rien à faire. Si ce montant vous étonne, ${contact ? 'répondez à ce message' : 'écrivez à votre organisateur'} avant cette date.`,
    ],
  }
}

/** The notice sent before a debit. */
export const buildDebitNoticeMail = (db: Db, config: Deps['config'], companyId: number, to: DebitNotice) =>
  composeNotice(db, config, companyId, to, buildNoticeText(to))

/**
 * Notifies the payer of the amount, day, mandate and creditor. Without an e-mail address, a letter must be sent by
 * hand.
 */
export async function sendDebitNotice(tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice) {
  if (await sendNotice(tx, deps, companyId, to, buildNoticeText(to)))
    await tx
      .update(debits)
      .set({ noticedAt: new Date() })
      .where(and(eq(debits.companyId, companyId), eq(debits.id, to.debitId)))
}

const sendCancellationNotice = (tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice) =>
  sendNotice(tx, deps, companyId, to, {
    title: `Prélèvement du ${formatLongDay(to.collectionOn)} annulé`,
    body: () => [
      `Bonjour,\nle prélèvement de ${formatEuros(to.amount)} annoncé pour le ${formatLongDay(to.collectionOn)} (mandat ${to.rum}) n’aura pas lieu. Vos factures restent à payer\u00a0: un nouveau prélèvement vous sera annoncé, ou vous pouvez les régler autrement.`,
    ],
  })

type Status = 'announced' | 'filed' | 'sent' | 'cancelled'
/** Allowed status changes of a run; once sent to the bank it can no longer change here. */
const NEXT_STATUSES: Record<Status, readonly Status[]> = {
  announced: ['filed', 'cancelled'],
  filed: ['sent', 'cancelled'],
  sent: [],
  cancelled: [],
}
const STATUS_LABELS: Record<Status, string> = {
  announced: 'annoncé',
  filed: 'prêt à envoyer',
  sent: 'à la banque',
  cancelled: 'annulé',
}

export async function lockDebitRun(tx: Db, companyId: number, id: string, version: number): Promise<DebitRunRow> {
  const [row] = await tx
    .select()
    .from(debitRuns)
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  return row
}

export async function changeRunStatus(tx: Db, run: DebitRunRow, to: Status, more: Partial<DebitRunRow> = {}) {
  // The column only stores these values.
  const from = run.status as Status
  if (!NEXT_STATUSES[from].includes(to))
    throw new AppError('invalid-transition', {
      message: `Ce prélèvement est ${STATUS_LABELS[from]}\u00a0: il ne peut plus être ${STATUS_LABELS[to]}.`,
    })
  await tx
    .update(debitRuns)
    .set({ ...more, status: to, version: run.version + 1 })
    .where(and(eq(debitRuns.companyId, run.companyId), eq(debitRuns.id, run.id)))
}

const debitsOfRunSql = ({ companyId, id }: DebitRunRow, status: 'planned') =>
  and(eq(debits.companyId, companyId), eq(debits.runId, id), eq(debits.status, status))

/** Marks the file as sent to the bank: its mandates are used, and their changes are reported. */
export async function markRunSent(tx: Db, { companyId }: Actor, id: string, version: number): Promise<DebitRunDetail> {
  const run = await lockDebitRun(tx, companyId, id, version)
  await changeRunStatus(tx, run, 'sent', { sentOn: getToday() })
  const sent = await tx.update(debits).set({ status: 'sent' }).where(debitsOfRunSql(run, 'planned')).returning()
  const used = sent.map(({ mandateId }) => mandateId)
  if (!used.length) return recordRunEvent(tx, companyId, 'debits.sent', await loadDebitRun(tx, companyId, id))
  await tx
    .update(mandates)
    .set({
      firstDebitOn: sql`coalesce(${mandates.firstDebitOn}, ${run.collectionOn}::date)`,
      lastDebitOn: run.collectionOn,
      formerIban: null,
      lapseToldOn: null,
      version: sql`${mandates.version} + 1`,
    })
    .where(and(eq(mandates.companyId, companyId), inArray(mandates.id, used)))
  const last = sent.filter(({ sequence }) => sequence === 'OOFF' || sequence === 'FNAL').map((one) => one.mandateId)
  if (last.length)
    await recordMandatesStopped(
      tx,
      companyId,
      await stopMandates(tx, companyId, inArray(mandates.id, last), {
        status: 'used',
        reason: 'Dernier prélèvement envoyé.',
      }),
    )
  return recordRunEvent(tx, companyId, 'debits.sent', await loadDebitRun(tx, companyId, id))
}

/** Cancels an announced run before it is sent, and frees its documents for another day. */
export async function cancelDebitRun(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  { companyId }: Actor,
  id: string,
  version: number,
): Promise<DebitRunDetail> {
  const run = await lockDebitRun(tx, companyId, id, version)
  const { items } = await loadDebitRun(tx, companyId, id)
  await changeRunStatus(tx, run, 'cancelled')
  await tx.update(debits).set({ status: 'cancelled' }).where(debitsOfRunSql(run, 'planned'))
  const account = await loadBankAccount(tx, companyId, run.accountId)
  for (const { id: debitId, noticedAt, state, participantId, rum, ibanEnd, amount } of items)
    if (noticedAt && state === 'planned') {
      const creditor = { name: account.owner, ics: account.ics }
      const { collectionOn } = run
      const notice = { debitId, participantId, rum, ibanEnd, amount, collectionOn, numbers: [], creditor }
      await sendCancellationNotice(tx, deps, companyId, notice)
    }
  return recordRunEvent(tx, companyId, 'debits.cancelled', await loadDebitRun(tx, companyId, id))
}
