import { randomInt } from 'node:crypto'
import type { DebitPlan, DebitRunDetail } from '@voisol/contract/debits'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, debitInvoices, debitRuns, debits } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadBankAccount } from '../mandates/index.ts'
import { loadDebitRun, recordRunEvent, sendDebitNotice } from './debit-runs.ts'
import { planDebitRun } from './plan-debit-run.ts'

type AnnounceRunInput = { accountId: string; collectionOn?: string | undefined; except: string[] }
type PlannedItem = z.output<typeof DebitPlan>['items'][number]

/** Company, day and random characters: SEPA allows 35 characters, including the rank of a debit behind it. */
const generateMessageId = (companyId: number) =>
  `VS${companyId}-${getToday().replaceAll('-', '')}-${randomInt(36 ** 6)
    .toString(36)
    .toUpperCase()
    .padStart(6, '0')}`

/** Makes concurrent announcements for one account wait for each other, so that a document is debited once. */
async function lockBankAccount(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.id, id)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
}

async function insertDebit(
  tx: Db,
  companyId: number,
  run: { id: string; messageId: string },
  item: PlannedItem,
  rank: number,
) {
  const id = crypto.randomUUID()
  const endToEndId = `${run.messageId}-${rank}`
  await tx
    .insert(debits)
    .values({ companyId, id, runId: run.id, mandateId: item.mandateId, endToEndId, amount: item.amount })
  const links = item.invoices.map(({ invoiceId, amount }) => ({ companyId, debitId: id, invoiceId, amount }))
  await tx.insert(debitInvoices).values(links)
  return id
}

/** Freezes the amounts to debit and notifies each payer. */
export async function announceDebitRun(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  { accountId, collectionOn: requestedDay, except }: AnnounceRunInput,
): Promise<DebitRunDetail> {
  const { companyId } = actor
  await lockBankAccount(tx, companyId, accountId)
  const account = await loadBankAccount(tx, companyId, accountId)
  const { items, collectionOn, submitBy } = await planDebitRun(tx, companyId, { accountId, collectionOn: requestedDay })
  const selectedItems = items.filter(({ mandateId }) => !except.includes(mandateId))
  if (!selectedItems.length)
    throw new AppError('conflict', {
      message: 'Rien n’est à prélever\u00a0: aucune facture ouverte n’a de mandat actif.',
    })
  const run = { id: crypto.randomUUID(), messageId: generateMessageId(companyId) }
  const values = { companyId, ...run, accountId, collectionOn, submitBy, createdBy: formatActorName(actor) }
  await tx.insert(debitRuns).values(values)
  for (const [at, item] of selectedItems.entries()) {
    const debitId = await insertDebit(tx, companyId, run, item, at + 1)
    const { participantId, rum, ibanEnd, amount } = item
    const numbers = item.invoices.map(({ number }) => number)
    const creditor = { name: account.owner, ics: account.ics }
    await sendDebitNotice(tx, deps, companyId, {
      debitId,
      participantId,
      rum,
      ibanEnd,
      amount,
      collectionOn,
      numbers,
      creditor,
    })
  }
  return recordRunEvent(tx, companyId, 'debits.announced', await loadDebitRun(tx, companyId, run.id))
}
