import type { DebitRunDetail } from '@voisol/contract/debits'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { buildDebitFile, type DebitBatch, type DebitOrder, type MandateSequence } from '@voisol/documents/pain-008'
import { findPainErrors } from '@voisol/documents/sepa-rules'
import { and, eq } from 'drizzle-orm'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, files, mandates, participations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers } from '../../billing/parties/index.ts'
import {
  decryptAccountIban,
  decryptFormerIban,
  decryptMandateIban,
  loadBankAccount,
  type MandateRow,
} from '../mandates/index.ts'
import {
  changeRunStatus,
  type DebitRow,
  type DebitRunRow,
  loadDebitRun,
  lockDebitRun,
  recordRunEvent,
} from './debit-runs.ts'
import { loadDebitableItems } from './plan-debit-run.ts'

type PlannedDebit = { debit: DebitRow; mandate: MandateRow }

const loadPlannedDebits = (tx: Db, { companyId, id }: DebitRunRow): Promise<PlannedDebit[]> =>
  tx
    .select({ debit: debits, mandate: mandates })
    .from(debits)
    .innerJoin(mandates, and(eq(mandates.companyId, debits.companyId), eq(mandates.id, debits.mandateId)))
    .where(and(eq(debits.companyId, companyId), eq(debits.runId, id), eq(debits.status, 'planned')))
    .orderBy(debits.endToEndId)

/** Removes what was paid since the announcement, and debits whose mandate has ended. */
async function trimToOpenAmount(
  tx: Db,
  { debit, mandate }: PlannedDebit,
  open: ReadonlyMap<string, number>,
): Promise<PlannedDebit | null> {
  const own = and(eq(debitInvoices.companyId, debit.companyId), eq(debitInvoices.debitId, debit.id))
  const links = await tx.select().from(debitInvoices).where(own)
  const due = links.map((link) => ({ ...link, amount: Math.min(link.amount, open.get(link.invoiceId) ?? 0) }))
  const amount = mandate.status === 'active' ? due.reduce((sum, link) => sum + link.amount, 0) : 0
  const itself = and(eq(debits.companyId, debit.companyId), eq(debits.id, debit.id))
  if (amount === 0) {
    await tx.update(debits).set({ status: 'cancelled' }).where(itself)
    return null
  }
  if (amount < debit.amount) {
    await tx.delete(debitInvoices).where(own)
    await tx.insert(debitInvoices).values(due.filter((link) => link.amount > 0))
    await tx.update(debits).set({ amount }).where(itself)
  }
  return { mandate, debit: { ...debit, amount } }
}

/** Whether this is the last debit of a participant who has left every operation. */
async function isLastDebit(tx: Db, { companyId, participantId }: MandateRow): Promise<boolean> {
  const participationPeriods = await tx
    .select({ endsOn: participations.endsOn })
    .from(participations)
    .where(and(eq(participations.companyId, companyId), eq(participations.participantId, participantId)))
  return (
    participationPeriods.length > 0 &&
    participationPeriods.every(({ endsOn }) => endsOn !== null && endsOn <= getToday())
  )
}

const BATCH_SUFFIXES: Record<MandateSequence, string> = { RCUR: 'R', OOFF: 'O', FNAL: 'F', FRST: 'P' }

async function buildDebitOrder(
  tx: Db,
  secrets: Secrets,
  { debit, mandate }: PlannedDebit,
  numbers: string[],
): Promise<DebitOrder> {
  const buyer = (await loadBuyers(tx, mandate.companyId, [mandate.participantId])).get(mandate.participantId)
  return {
    endToEndId: debit.endToEndId,
    amount: debit.amount,
    rum: mandate.rum,
    signedOn: mandate.signedOn,
    name: mandate.holder,
    iban: decryptMandateIban(secrets, mandate),
    bic: mandate.bic,
    town: buyer?.city ?? '',
    country: buyer?.country ?? 'FR',
    formerIban: decryptFormerIban(secrets, mandate),
    text: numbers.join(' '),
  }
}

/** SEPA sequence type: RCUR, except for one-off and last debits, and FRST when the bank asks for it. */
async function chooseSequence(tx: Db, mandate: MandateRow, firstMarked: boolean): Promise<MandateSequence> {
  if (mandate.kind === 'oneOff') return 'OOFF'
  if (await isLastDebit(tx, mandate)) return 'FNAL'
  return firstMarked && mandate.firstDebitOn === null ? 'FRST' : 'RCUR'
}

async function buildDebitBatches(
  tx: Db,
  secrets: Secrets,
  run: DebitRunRow,
  planned: PlannedDebit[],
  firstMarked: boolean,
): Promise<DebitBatch[]> {
  const { items } = await loadDebitRun(tx, run.companyId, run.id)
  const numbers = new Map(items.map((item) => [item.id, item.invoices.map(({ number }) => number)]))
  const batches = new Map<MandateSequence, DebitOrder[]>()
  for (const one of planned) {
    const sequence = await chooseSequence(tx, one.mandate, firstMarked)
    const batchId = `${run.messageId}-${BATCH_SUFFIXES[sequence]}`
    await tx
      .update(debits)
      .set({ sequence, batchId })
      .where(and(eq(debits.companyId, run.companyId), eq(debits.id, one.debit.id)))
    const order = await buildDebitOrder(tx, secrets, one, numbers.get(one.debit.id) ?? [])
    batches.set(sequence, [...(batches.get(sequence) ?? []), order])
  }
  return [...batches].map(([sequence, orders]) => ({
    id: `${run.messageId}-${BATCH_SUFFIXES[sequence]}`,
    sequence,
    collectionOn: run.collectionOn,
    debits: orders,
  }))
}

function requireBeforeDeadline({ submitBy, collectionOn }: DebitRunRow) {
  if (getToday() > submitBy)
    throw new AppError('conflict', {
      message: `Ce fichier devait être à la banque le ${formatLongDay(submitBy)} pour un débit le ${formatLongDay(collectionOn)}\u00a0: annulez ce prélèvement et annoncez un autre jour.`,
    })
}

/** Writes the file once: later downloads get the same bytes under the same name. */
export async function prepareDebitFile(
  tx: Db,
  { secrets, files: store }: Pick<Deps, 'secrets' | 'files'>,
  { companyId }: Actor,
  id: string,
  version: number,
): Promise<DebitRunDetail> {
  const run = await lockDebitRun(tx, companyId, id, version)
  requireBeforeDeadline(run)
  const account = await loadBankAccount(tx, companyId, run.accountId)
  const open = new Map((await loadDebitableItems(tx, account)).map((item) => [item.id, item.open]))
  const planned: PlannedDebit[] = []
  for (const one of await loadPlannedDebits(tx, run)) {
    const remaining = await trimToOpenAmount(tx, one, open)
    if (remaining) planned.push(remaining)
  }
  if (!planned.length)
    throw new AppError('conflict', {
      message:
        'Il n’y a plus rien à prélever\u00a0: tout a été payé ou les mandats ont pris fin. Annulez ce prélèvement.',
    })
  const xml = buildDebitFile({
    // The column only stores these values.
    version: account.painVersion as '08' | '02',
    id: run.messageId,
    createdAt: `${new Date().toISOString().slice(0, 19)}Z`,
    creditor: {
      name: account.owner,
      ics: account.ics,
      iban: decryptAccountIban(secrets, account) ?? '',
      bic: account.bic,
    },
    batches: await buildDebitBatches(tx, secrets, run, planned, account.firstMarked),
  })
  const faults = findPainErrors(xml)
  if (faults.length) throw new Error(`a file of debits no bank takes: ${faults.slice(0, 3).join('; ')}`)
  const name = `prelevement-${run.collectionOn}-${run.messageId}.xml`
  const content = new TextEncoder().encode(xml)
  const file = await storeFile(tx, store, companyId, { name, mediaType: 'application/xml', content })
  await changeRunStatus(tx, run, 'filed', { fileId: file.id, filedAt: new Date() })
  return recordRunEvent(tx, companyId, 'debits.filed', await loadDebitRun(tx, companyId, id))
}

export async function loadDebitFile(db: Db, store: FileStore, companyId: number, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(debitRuns)
    .innerJoin(files, and(eq(files.companyId, debitRuns.companyId), eq(files.id, debitRuns.fileId)))
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(getFileKey(row.file))
  if (!content) throw new Error(`file store: ${getFileKey(row.file)} is recorded but not there`)
  return { name: row.file.name, content }
}
