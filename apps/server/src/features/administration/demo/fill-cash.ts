import { MIN_ONLINE_PAYMENT_CENTS } from '@voisol/contract/online-views'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, like } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { mandates, participants, payments, users } from '../../../db/schema/index.ts'
import { DEMO_PEOPLE } from '../../../db/seed/people.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { loadBankAccounts } from '../../money/bank/bank.ts'
import { computeAccountOpenAmounts, loadPairAccounts, type PairAccount } from '../../money/invoices/invoices.ts'
import { loadBuyers, loadSellers } from '../../money/parties/parties.ts'
import { postPayment } from '../../money/payments/payments.ts'
import { loadDuePayouts, planPayouts } from '../../money/payouts/payouts.ts'
import { loadDueAccounts, sendReminder } from '../../money/reminders/reminders.ts'
import { INVOICES_LEFT_TO_BANK } from './fill-payments.ts'

type OwedInvoice = { id: string; number: string; due: string; open: number }
type DemoPayment = { amount: number; bookedOn: string; source: string; references: string[] }

function listOverdueInvoices(account: PairAccount, today: string): OwedInvoice[] {
  const open = computeAccountOpenAmounts(account)
  return account.entries
    .filter(({ of, side, due, id }) => of === 'document' && side === 'debit' && due < today && (open.get(id) ?? 0) > 0)
    .map(({ id, number, due }) => ({ id, number, due, open: open.get(id) ?? 0 }))
    .sort((a, b) => (a.due < b.due ? -1 : 1))
}

/** State of the last invoice: paid, partly paid or unpaid. */
type LastInvoiceState = 'paid' | 'part' | 'open'

/** Older invoices were paid together, recent ones one by one. */
function buildPayments(owed: OwedInvoice[], lastState: LastInvoiceState): DemoPayment[] {
  const last = owed.at(-1)
  const whole = lastState === 'paid' ? owed : owed.slice(0, -1)
  const [older, recent] = [whole.slice(0, -1), whole.slice(-1)]
  const one = (all: OwedInvoice[]): DemoPayment[] => {
    const newest = all.at(-1)
    if (!newest) return []
    const amount = all.reduce((sum, { open }) => sum + open, 0)
    return [{ amount, bookedOn: newest.due, source: `demo:${newest.id}`, references: all.map(({ number }) => number) }]
  }
  const part = last && lastState === 'part' && last.open > 1 ? Math.floor(last.open / 4) : 0
  const begun =
    last && part > 0
      ? [{ amount: part, bookedOn: last.due, source: `demo:part:${last.id}`, references: [last.number] }]
      : []
  return [...one(older), ...one(recent), ...begun]
}

/** Finds the seller's own bank account, or the organiser's when it collects on the seller's behalf. */
async function loadAccountFinder(deps: Deps, companyId: number) {
  const accounts = await loadBankAccounts(deps.db, companyId)
  const organisers = new Set(
    (await loadSellers(deps.db, companyId)).filter((one) => !one.participantId).map(({ id }) => id),
  )
  const common = accounts.find(({ ownerId }) => organisers.has(ownerId))
  return (sellerId: string) => accounts.find(({ ownerId }) => ownerId === sellerId) ?? common
}

/** All participants with a user account, including the published demo account. */
async function loadPortalUsers(deps: Deps, companyId: number) {
  const rows = await deps.db
    .select({ id: participants.id, email: users.email })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .where(eq(participants.companyId, companyId))
  const visitor = DEMO_PEOPLE.find(({ role }) => role === 'client')?.email
  return { all: new Set(rows.map(({ id }) => id)), visitor: rows.find(({ email }) => email === visitor)?.id }
}

const getPairKey = ({ sellerId, buyerId }: PairAccount['pair']) => `${sellerId} ${buyerId}`
type Debtor = { account: PairAccount; owed: OwedInvoice[] }
const getLastNumber = ({ owed }: Debtor) => owed.at(-1)?.number ?? ''
const getLastDue = ({ owed }: Debtor) => owed.at(-1)?.due ?? ''
const getLastOpenAmount = ({ owed }: Debtor) => owed.at(-1)?.open ?? 0

/**
 * Chooses the invoices left unpaid: those for the bank data, one that the demo visitor can pay online, and two late
 * ones.
 */
async function chooseOpenInvoices(
  deps: Deps,
  companyId: number,
  debtors: Debtor[],
): Promise<Map<string, LastInvoiceState>> {
  const signing = await loadPortalUsers(deps, companyId)
  const given = await deps.db
    .selectDistinct({ creditorId: mandates.creditorId })
    .from(mandates)
    .where(eq(mandates.companyId, companyId))
  const banked = new Set(given.map(({ creditorId }) => creditorId))
  const buyers = await loadBuyers(deps.db, companyId, [
    ...new Set(debtors.map(({ account }) => account.pair.buyerId ?? '')),
  ])
  const sellers = new Map((await loadSellers(deps.db, companyId)).map((seller) => [seller.id, seller]))
  const left = new Map<string, LastInvoiceState>()
  for (const [sellerId, own] of Map.groupBy(debtors, ({ account }) => account.pair.sellerId))
    if (banked.has(sellerId)) {
      const latest = own.reduce((day, one) => (getLastDue(one) > day ? getLastDue(one) : day), '')
      const waiting = own
        .filter((one) => getLastDue(one) === latest)
        .toSorted((a, b) => (getLastNumber(a) < getLastNumber(b) ? -1 : 1))
      for (const { account } of waiting.slice(0, INVOICES_LEFT_TO_BANK)) left.set(getPairKey(account.pair), 'open')
    }
  const largest = debtors.toSorted((a, b) => getLastOpenAmount(b) - getLastOpenAmount(a))
  const free = ({ account: { pair } }: Debtor) => !left.has(getPairKey(pair)) && !signing.all.has(pair.buyerId ?? '')
  const isOther = ({ account: { pair } }: Debtor) => sellers.get(pair.sellerId)?.participantId !== pair.buyerId
  const kindOf = ({ account: { pair } }: Debtor) => buyers.get(pair.buyerId ?? '')?.kind
  const firm = largest.find((one) => free(one) && isOther(one) && kindOf(one) === 'company')
  const person = largest.find((one) => free(one) && kindOf(one) === 'person')
  if (firm) left.set(getPairKey(firm.account.pair), 'open')
  if (person) left.set(getPairKey(person.account.pair), 'part')
  const own = largest.find(
    (one) => one.account.pair.buyerId === signing.visitor && getLastOpenAmount(one) >= MIN_ONLINE_PAYMENT_CENTS,
  )
  if (own) left.set(getPairKey(own.account.pair), 'open')
  return left
}

type RecordedPayment = { source: string; bookedOn: string }

/** The first call leaves a few invoices unpaid; later calls pay only what fell due since, and do not touch those. */
async function payInvoices(
  deps: Deps,
  actor: Actor,
  all: PairAccount[],
  today: string,
  recorded: readonly RecordedPayment[],
) {
  const { companyId } = actor
  const known = new Set(recorded.map(({ source }) => source))
  const until = recorded.reduce((day, { bookedOn }) => (bookedOn > day ? bookedOn : day), '')
  const bank = await loadAccountFinder(deps, companyId)
  const debtors = all.map((account) => ({
    account,
    owed: listOverdueInvoices(account, today).filter(({ due }) => due > until),
  }))
  const left = until ? new Map<string, LastInvoiceState>() : await chooseOpenInvoices(deps, companyId, debtors)
  for (const { account, owed } of debtors) {
    const newPayments = buildPayments(owed, left.get(getPairKey(account.pair)) ?? 'paid').filter(
      ({ source }) => !known.has(source),
    )
    const accountId = bank(account.pair.sellerId)?.id ?? null
    const how = { kind: 'receipt' as const, method: 'transfer' as const, accountId }
    if (newPayments.length)
      await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
        for (const one of newPayments)
          await postPayment(tx, companyId, { ...account.pair, ...how, ...one }, formatActorName(actor))
      })
  }
}

/** The largest debtor received a reminder yesterday. */
async function remindFirstDebtor(deps: Deps, actor: Actor, today: string) {
  const { companyId } = actor
  const first = (await loadDueAccounts(deps.db, companyId, today)).find(
    ({ level, last }) => level !== null && last === null,
  )
  if (!first || first.level === null) return
  const by = formatActorName(actor)
  const context = { companyId, secrets: deps.secrets, by, today, mailedAt: new Date(`${today}T07:30:00Z`) }
  const order = { sellerId: first.seller.id, buyerId: first.buyer.id, level: first.level, formal: true }
  await transaction(scopeToCompany(deps.db, companyId), (tx) => sendReminder(tx, context, order))
}

/**
 * A well-run company: everything is paid except by two late payers, one of whom was reminded; payouts to producers are
 * under way.
 */
export async function fillCash(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  const accounts = (await loadPairAccounts(deps.db, companyId)).filter(({ pair }) => pair.buyerId !== null)
  const rows = await deps.db
    .select({ source: payments.source, bookedOn: payments.bookedOn })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, 'demo:%')))
  await payInvoices(deps, actor, accounts, today, rows)
  if (rows.length || !accounts.length) return
  await remindFirstDebtor(deps, actor, addDays(today, -1))
  const due = (await loadDuePayouts(deps.db, companyId)).find(({ waits }) => waits === '')
  const bank = (await loadBankAccounts(deps.db, companyId)).find(({ ownerId }) => ownerId === due?.holder.id)
  if (due && bank)
    await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      planPayouts(tx, actor, { accountId: bank.id, sellerIds: [due.seller.id] }),
    )
}
