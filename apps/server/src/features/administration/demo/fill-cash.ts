import { and, asc, eq, like } from 'drizzle-orm'
import { forCompany, transaction } from '../../../db/client.ts'
import { bankAccounts, invoices, payments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { openOfAccount, type PairAccount, readAccounts } from '../../money/invoices/invoices.ts'
import { postPayment } from '../../money/payments/payments.ts'
import { payoutsDue, planPayouts } from '../../money/payouts/payouts.ts'
import { dueAccounts, sendReminder } from '../../money/reminders/reminders.ts'

/** Among so many buyers one pays a part of the last invoice, and one nothing of it. */
const EVERY = 9
const HALF = 7
const NOTHING = 4

type Owed = { id: string; number: string; due: string; open: number }
type Paid = { amount: number; bookedOn: string; source: string; references: string[] }

function owedBy(account: PairAccount, today: string): Owed[] {
  const open = openOfAccount(account)
  return account.entries
    .filter(({ of, side, due, id }) => of === 'document' && side === 'debit' && due < today && (open.get(id) ?? 0) > 0)
    .map(({ id, number, due }) => ({ id, number, due, open: open.get(id) ?? 0 }))
    .sort((a, b) => (a.due < b.due ? -1 : 1))
}

/** What is older was paid together, what is recent invoice by invoice. */
function paymentsOf(owed: Owed[], at: number): Paid[] {
  const last = owed.at(-1)
  const whole = at % EVERY === HALF || at % EVERY === NOTHING ? owed.slice(0, -1) : owed
  const [older, recent] = [whole.slice(0, -1), whole.slice(-1)]
  const one = (all: Owed[]): Paid[] => {
    const newest = all.at(-1)
    if (!newest) return []
    const amount = all.reduce((sum, { open }) => sum + open, 0)
    return [{ amount, bookedOn: newest.due, source: `demo:${newest.id}`, references: all.map(({ number }) => number) }]
  }
  const half =
    last && at % EVERY === HALF && last.open > 1
      ? [
          {
            amount: Math.floor(last.open / 2),
            bookedOn: last.due,
            source: `demo:half:${last.id}`,
            references: [last.number],
          },
        ]
      : []
  return [...one(older), ...one(recent), ...half]
}

async function pay(deps: Deps, actor: Actor, accounts: PairAccount[], today: string) {
  const { companyId } = actor
  const rows = await deps.db
    .select({ source: payments.source })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, 'demo:%')))
  const known = new Set(rows.map(({ source }) => source))
  const [bank] = await deps.db
    .select()
    .from(bankAccounts)
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.kind, 'bank')))
    .orderBy(asc(bankAccounts.createdAt))
  for (const [at, account] of accounts.entries()) {
    const fresh = paymentsOf(owedBy(account, today), at).filter(({ source }) => !known.has(source))
    const how = { kind: 'receipt' as const, method: 'transfer' as const, accountId: bank?.id ?? null }
    if (fresh.length)
      await transaction(forCompany(deps.db, companyId), async (tx) => {
        for (const one of fresh)
          await postPayment(tx, companyId, { ...account.pair, ...how, ...one, note: 'Virement' }, nameOfActor(actor))
      })
  }
}

/** The one who owes most was reminded of it yesterday. */
async function remind(deps: Deps, actor: Actor, today: string) {
  const { companyId } = actor
  const first = (await dueAccounts(deps.db, companyId, today)).find(
    ({ level, last }) => level !== null && last === null,
  )
  if (!first || first.level === null) return
  const by = nameOfActor(actor)
  const scene = { companyId, secrets: deps.secrets, by, today, mailedAt: new Date(`${today}T07:30:00Z`) }
  const order = { sellerId: first.seller.id, buyerId: first.buyer.id, level: first.level, formal: true }
  await transaction(forCompany(deps.db, companyId), (tx) => sendReminder(tx, scene, order))
}

/** Most invoices are paid, one in part, one is late and was reminded; what was collected for a producer is on its way. */
export async function fillCash(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  if ((await deps.db.$count(invoices, eq(invoices.companyId, companyId))) === 0) return
  const accounts = (await readAccounts(deps.db, companyId)).filter(({ pair }) => pair.buyerId !== null)
  const first = (await deps.db.$count(payments, eq(payments.companyId, companyId))) === 0
  await pay(deps, actor, accounts, today)
  if (!first) return
  await remind(deps, actor, today)
  const due = (await payoutsDue(deps.db, companyId)).find(({ waits }) => waits === '')
  const [bank] = due
    ? await deps.db
        .select()
        .from(bankAccounts)
        .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.ownerId, due.holder.id)))
    : []
  if (due && bank)
    await transaction(forCompany(deps.db, companyId), (tx) =>
      planPayouts(tx, actor, { accountId: bank.id, sellerIds: [due.seller.id] }),
    )
}
