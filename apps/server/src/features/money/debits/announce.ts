import { randomInt } from 'node:crypto'
import type { DebitPlan, DebitRunDetail } from '@voisol/contract/debits'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, debitInvoices, debitRuns, debits } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { accountOf } from '../mandates/mandates.ts'
import { giveNotice } from './notice.ts'
import { planRun } from './plan.ts'
import { tellRun } from './tell.ts'
import { getRun } from './view.ts'

type Order = { accountId: string; collectionOn?: string | undefined; except: string[] }
type Item = z.output<typeof DebitPlan>['items'][number]

/** Company, day and chance: 35 signs with the rank of a debit behind it. */
const newMessageId = (companyId: number) =>
  `VS${companyId}-${today().replaceAll('-', '')}-${randomInt(36 ** 6)
    .toString(36)
    .toUpperCase()
    .padStart(6, '0')}`

/** Two who announce for the same account wait for each other: a document is debited once. */
export async function lockAccount(tx: Db, companyId: number, id: string) {
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
  item: Item,
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

/** Freezes what will be debited, and tells each of those concerned. */
export async function announceRun(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  { accountId, collectionOn: asked, except }: Order,
): Promise<DebitRunDetail> {
  const { companyId } = actor
  await lockAccount(tx, companyId, accountId)
  const account = await accountOf(tx, companyId, accountId)
  const { items, collectionOn, submitBy } = await planRun(tx, companyId, { accountId, collectionOn: asked })
  const wanted = items.filter(({ mandateId }) => !except.includes(mandateId))
  if (!wanted.length)
    throw new AppError('conflict', {
      message: 'Rien n’est à prélever\u00a0: aucune facture ouverte n’a de mandat actif.',
    })
  const run = { id: crypto.randomUUID(), messageId: newMessageId(companyId) }
  const values = { companyId, ...run, accountId, collectionOn, submitBy, createdBy: nameOfActor(actor) }
  await tx.insert(debitRuns).values(values)
  for (const [at, item] of wanted.entries()) {
    const debitId = await insertDebit(tx, companyId, run, item, at + 1)
    const { participantId, rum, ibanEnd, amount } = item
    const numbers = item.invoices.map(({ number }) => number)
    const creditor = { name: account.owner, ics: account.ics }
    await giveNotice(tx, deps, companyId, {
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
  return tellRun(tx, companyId, 'debits.announced', await getRun(tx, companyId, run.id))
}
