import { LEAST_ONLINE } from '@voisol/contract/online-views'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, isNotNull, like } from 'drizzle-orm'
import { forCompany, transaction } from '../../../db/client.ts'
import { participants, payments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { accountsOf } from '../../money/bank/bank.ts'
import { openOfAccount, type PairAccount, readAccounts } from '../../money/invoices/invoices.ts'
import { sellersOf } from '../../money/parties/parties.ts'
import { postPayment } from '../../money/payments/payments.ts'
import { payoutsDue, planPayouts } from '../../money/payouts/payouts.ts'
import { dueAccounts, sendReminder } from '../../money/reminders/reminders.ts'

/** The last invoice of the first of a seller's buyers is left to its bank: debited, or waiting on a statement. */
const BANK = 13
/** Among so many of the others one pays a part of the last invoice, and one nothing of it. */
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
  const left = at < BANK || at % EVERY === HALF || at % EVERY === NOTHING
  const whole = left ? owed.slice(0, -1) : owed
  const [older, recent] = [whole.slice(0, -1), whole.slice(-1)]
  const one = (all: Owed[]): Paid[] => {
    const newest = all.at(-1)
    if (!newest) return []
    const amount = all.reduce((sum, { open }) => sum + open, 0)
    return [{ amount, bookedOn: newest.due, source: `demo:${newest.id}`, references: all.map(({ number }) => number) }]
  }
  const half =
    last && at >= BANK && at % EVERY === HALF && last.open > 1
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

/** The seller's own account, or the organiser's who collects for it. */
async function bankOf(deps: Deps, companyId: number) {
  const accounts = await accountsOf(deps.db, companyId)
  const organisers = new Set(
    (await sellersOf(deps.db, companyId)).filter((one) => !one.participantId).map(({ id }) => id),
  )
  const common = accounts.find(({ ownerId }) => organisers.has(ownerId))
  return (sellerId: string) => accounts.find(({ ownerId }) => ownerId === sellerId) ?? common
}

/** Whoever signs in finds something to pay online: of their own, the newest document that a provider takes stays open. */
function withoutShown(owed: Owed[], signsIn: boolean): Owed[] {
  const shown = signsIn ? owed.findLast(({ open }) => open >= LEAST_ONLINE) : undefined
  return owed.filter((one) => one !== shown)
}

async function whoSignsIn(deps: Deps, companyId: number): Promise<Set<string>> {
  const rows = await deps.db
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isNotNull(participants.userId)))
  return new Set(rows.map(({ id }) => id))
}

const lastNumber = ({ entries }: PairAccount) =>
  entries.reduce((last, { of, number }) => (of === 'document' && number > last ? number : last), '')

async function pay(deps: Deps, actor: Actor, all: PairAccount[], today: string, known: ReadonlySet<string>) {
  const { companyId } = actor
  const bank = await bankOf(deps, companyId)
  const signing = await whoSignsIn(deps, companyId)
  for (const accounts of Map.groupBy(all, ({ pair }) => pair.sellerId).values()) {
    const inOrder = accounts.toSorted((a, b) => (lastNumber(a) < lastNumber(b) ? -1 : 1))
    for (const [at, account] of inOrder.entries()) {
      const owed = withoutShown(owedBy(account, today), signing.has(account.pair.buyerId ?? ''))
      const fresh = paymentsOf(owed, at).filter(({ source }) => !known.has(source))
      const accountId = bank(account.pair.sellerId)?.id ?? null
      const how = { kind: 'receipt' as const, method: 'transfer' as const, accountId, note: 'Virement' }
      if (fresh.length)
        await transaction(forCompany(deps.db, companyId), async (tx) => {
          for (const one of fresh)
            await postPayment(tx, companyId, { ...account.pair, ...how, ...one }, nameOfActor(actor))
        })
    }
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
  const accounts = (await readAccounts(deps.db, companyId)).filter(({ pair }) => pair.buyerId !== null)
  const rows = await deps.db
    .select({ source: payments.source })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, 'demo:%')))
  await pay(deps, actor, accounts, today, new Set(rows.map(({ source }) => source)))
  if (rows.length || !accounts.length) return
  await remind(deps, actor, addDays(today, -1))
  const due = (await payoutsDue(deps.db, companyId)).find(({ waits }) => waits === '')
  const bank = (await accountsOf(deps.db, companyId)).find(({ ownerId }) => ownerId === due?.holder.id)
  if (due && bank)
    await transaction(forCompany(deps.db, companyId), (tx) =>
      planPayouts(tx, actor, { accountId: bank.id, sellerIds: [due.seller.id] }),
    )
}
