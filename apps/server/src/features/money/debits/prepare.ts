import type { DebitRunDetail } from '@voisol/contract/debits'
import { and, eq } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { keepFile, keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { debitInvoices, debitRuns, debits, files, mandates, participations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type DebitBatch, type DebitOrder, debitFile, type Sequence } from '../../../papers/pain-008.ts'
import { painFaults } from '../../../papers/pain-check.ts'
import { longDay } from '../../../papers/words.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { accountOf, type MandateRow, openAccountIban, openFormerIban, openMandateIban } from '../mandates/mandates.ts'
import { buyersOf } from '../parties/parties.ts'
import { debitable } from './plan.ts'
import { lockRun, moveRun } from './runs.ts'
import { tellRun } from './tell.ts'
import { type DebitRow, getRun, type RunRow } from './view.ts'

type Planned = { debit: DebitRow; mandate: MandateRow }

const plannedOf = (tx: Db, { companyId, id }: RunRow): Promise<Planned[]> =>
  tx
    .select({ debit: debits, mandate: mandates })
    .from(debits)
    .innerJoin(mandates, and(eq(mandates.companyId, debits.companyId), eq(mandates.id, debits.mandateId)))
    .where(and(eq(debits.companyId, companyId), eq(debits.runId, id), eq(debits.status, 'planned')))
    .orderBy(debits.endToEndId)

/** What was paid since the announcement is not debited, and nothing is under a mandate that ended. */
async function trimmed(
  tx: Db,
  { debit, mandate }: Planned,
  open: ReadonlyMap<string, number>,
): Promise<Planned | null> {
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

/** The last debit of somebody who has left every operation. */
async function isLast(tx: Db, { companyId, participantId }: MandateRow): Promise<boolean> {
  const stays = await tx
    .select({ endsOn: participations.endsOn })
    .from(participations)
    .where(and(eq(participations.companyId, companyId), eq(participations.participantId, participantId)))
  return stays.length > 0 && stays.every(({ endsOn }) => endsOn !== null && endsOn <= today())
}

const BATCHES: Record<Sequence, string> = { RCUR: 'R', OOFF: 'O', FNAL: 'F', FRST: 'P' }

async function orderOf(tx: Db, secrets: Secrets, { debit, mandate }: Planned, numbers: string[]): Promise<DebitOrder> {
  const buyer = (await buyersOf(tx, mandate.companyId, [mandate.participantId])).get(mandate.participantId)
  return {
    endToEndId: debit.endToEndId,
    amount: debit.amount,
    rum: mandate.rum,
    signedOn: mandate.signedOn,
    name: mandate.holder,
    iban: openMandateIban(secrets, mandate),
    bic: mandate.bic,
    town: buyer?.city ?? '',
    country: buyer?.country ?? 'FR',
    formerIban: openFormerIban(secrets, mandate),
    text: numbers.join(' '),
  }
}

/** Recurrent throughout, but for one-off and last debits, and the first where the bank asks for it to be marked. */
async function sequenceOf(tx: Db, mandate: MandateRow, firstMarked: boolean): Promise<Sequence> {
  if (mandate.kind === 'oneOff') return 'OOFF'
  if (await isLast(tx, mandate)) return 'FNAL'
  return firstMarked && mandate.firstDebitOn === null ? 'FRST' : 'RCUR'
}

async function batchesOf(
  tx: Db,
  secrets: Secrets,
  run: RunRow,
  planned: Planned[],
  firstMarked: boolean,
): Promise<DebitBatch[]> {
  const { items } = await getRun(tx, run.companyId, run.id)
  const numbers = new Map(items.map((item) => [item.id, item.invoices.map(({ number }) => number)]))
  const batches = new Map<Sequence, DebitOrder[]>()
  for (const one of planned) {
    const sequence = await sequenceOf(tx, one.mandate, firstMarked)
    const batchId = `${run.messageId}-${BATCHES[sequence]}`
    await tx
      .update(debits)
      .set({ sequence, batchId })
      .where(and(eq(debits.companyId, run.companyId), eq(debits.id, one.debit.id)))
    const order = await orderOf(tx, secrets, one, numbers.get(one.debit.id) ?? [])
    batches.set(sequence, [...(batches.get(sequence) ?? []), order])
  }
  return [...batches].map(([sequence, orders]) => ({
    id: `${run.messageId}-${BATCHES[sequence]}`,
    sequence,
    collectionOn: run.collectionOn,
    debits: orders,
  }))
}

function requireInTime({ submitBy, collectionOn }: RunRow) {
  if (today() > submitBy)
    throw new AppError('conflict', {
      message: `Ce fichier devait être à la banque le ${longDay(submitBy)} pour un débit le ${longDay(collectionOn)}\u00a0: annulez ce prélèvement et annoncez un autre jour.`,
    })
}

/** Writes the file, once: whoever downloads it again gets the same bytes under the same name. */
export async function prepareFile(
  tx: Db,
  { secrets, files: store }: Pick<Deps, 'secrets' | 'files'>,
  { companyId }: Actor,
  id: string,
  version: number,
): Promise<DebitRunDetail> {
  const run = await lockRun(tx, companyId, id, version)
  requireInTime(run)
  const account = await accountOf(tx, companyId, run.accountId)
  const open = new Map((await debitable(tx, account)).map((item) => [item.id, item.open]))
  const planned: Planned[] = []
  for (const one of await plannedOf(tx, run)) {
    const left = await trimmed(tx, one, open)
    if (left) planned.push(left)
  }
  if (!planned.length)
    throw new AppError('conflict', {
      message:
        'Il n’y a plus rien à prélever\u00a0: tout a été payé ou les mandats ont pris fin. Annulez ce prélèvement.',
    })
  const xml = debitFile({
    // The column holds only these.
    version: account.painVersion as '08' | '02',
    id: run.messageId,
    createdAt: `${new Date().toISOString().slice(0, 19)}Z`,
    creditor: {
      name: account.owner,
      ics: account.ics,
      iban: openAccountIban(secrets, account) ?? '',
      bic: account.bic,
    },
    batches: await batchesOf(tx, secrets, run, planned, account.firstMarked),
  })
  const faults = painFaults(xml)
  if (faults.length) throw new Error(`a file of debits no bank takes: ${faults.slice(0, 3).join('; ')}`)
  const name = `prelevement-${run.collectionOn}-${run.messageId}.xml`
  const content = new TextEncoder().encode(xml)
  const file = await keepFile(tx, store, companyId, { name, mediaType: 'application/xml', content })
  await moveRun(tx, run, 'filed', { fileId: file.id, filedAt: new Date() })
  return tellRun(tx, companyId, 'debits.filed', await getRun(tx, companyId, id))
}

export async function fileOf(db: Db, store: FileStore, companyId: number, id: string) {
  const [row] = await db
    .select({ file: files })
    .from(debitRuns)
    .innerJoin(files, and(eq(files.companyId, debitRuns.companyId), eq(files.id, debitRuns.fileId)))
    .where(and(eq(debitRuns.companyId, companyId), eq(debitRuns.id, id)))
  if (!row) throw new AppError('not-found')
  const content = await store.get(keyOf(row.file))
  if (!content) throw new Error(`file store: ${keyOf(row.file)} is recorded but not there`)
  return { name: row.file.name, content }
}
