import type { subscription as endpoints, PlatformInvoice, Subscriber } from '@voisol/contract/subscription'
import { buildInvoiceXml } from '@voisol/documents/invoice-xml'
import { asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { countUsedPoints, getPlanPointsLimit } from '../../../core/plan.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { companies, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { getInvoiceState, type InvoiceRecord, loadOpenAmounts } from '../../billing/invoices/index.ts'
import { listAddOns, lockAddOn, saveAddOn, toAddOn } from './add-ons.ts'
import { renewOrEndSubscription, startPlan } from './change-plan.ts'
import { lockSubscription, parsePlan } from './find-subscription.ts'
import { loadSubscriptionDocuments } from './subscription-bill.ts'
import { isSubscriptionReadOnly } from './subscription-overview.ts'

type GrantPlanInput = z.output<typeof endpoints.grant.body>

async function toSubscriber(db: Db, { subscription: row, company }: SubscriptionWithCompany): Promise<Subscriber> {
  const documents = await listSubscriptionDocuments(db, row.companyId)
  const open = await computeSubscriptionOpenAmounts(db, documents)
  const due = documents.filter(({ kind }) => kind !== 'creditNote')
  const view = {
    companyId: row.companyId,
    name: company.name,
    state: row.state,
    readOnly: isSubscriptionReadOnly(row, company.trialEndsAt),
    plan: parsePlan(row),
    period: row.period,
    price: row.price,
    trialEndsAt: row.state === 'trial' ? (company.trialEndsAt?.toISOString() ?? null) : null,
    paidTo: row.paidTo,
    points: { used: await countUsedPoints(db, row.companyId), limit: getPlanPointsLimit(parsePlan(row)) },
    open: due.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0),
    addOns: (await listAddOns(db, [row.companyId])).map(toAddOn),
    version: row.version,
  }
  return view as Subscriber // parsed by the endpoint; the columns have CHECK constraints
}
type SubscriptionWithCompany = Awaited<ReturnType<typeof selectSubscriptions>>[number]

const selectSubscriptions = (db: Db, companyId?: number) =>
  db
    .select({ subscription: subscriptions, company: companies })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(companyId === undefined ? eq(companies.keepsSite, false) : eq(subscriptions.companyId, companyId))
    .orderBy(asc(companies.name), asc(companies.id))

/** Every subscribing company, for the installation operator. */
export async function listSubscribers(db: Db): Promise<Subscriber[]> {
  const items: Subscriber[] = []
  for (const row of await selectSubscriptions(db)) items.push(await toSubscriber(db, row))
  return items
}

async function loadSubscriber(db: Db, companyId: number): Promise<Subscriber> {
  const [row] = await selectSubscriptions(db, companyId)
  if (!row) throw new AppError('not-found')
  return toSubscriber(db, row)
}

/** Switches the company of row-level security while the operator writes for another company, and switches it back. */
async function writeForOtherCompany<T>(
  tx: Db,
  actor: Actor,
  companyId: number,
  work: () => Promise<T>,
): Promise<Subscriber> {
  await setWriteCompany(tx, companyId)
  await work()
  await setWriteCompany(tx, actor.companyId)
  return loadSubscriber(tx, companyId)
}

/** Grants the plan without a list price; the agreed price is billed like any other. */
export const grantPlan = (
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  actor: Actor,
  companyId: number,
  input: GrantPlanInput,
) =>
  writeForOtherCompany(tx, actor, companyId, async () => {
    const found = await lockSubscription(tx, companyId)
    requireCurrentVersion(found, input)
    const row = await renewOrEndSubscription(tx, deps, found)
    const terms = { plan: 'enterprise', period: input.period, price: input.price } as const
    await startPlan(tx, deps, row, terms, formatActorName(actor), 'granted')
  })

/** Extends a trial to a future day, unless a plan has been chosen. */
export const extendTrial = (tx: Db, actor: Actor, companyId: number, input: z.output<typeof endpoints.extend.body>) =>
  writeForOtherCompany(tx, actor, companyId, async () => {
    const row = await lockSubscription(tx, companyId)
    requireCurrentVersion(row, input)
    if (row.state !== 'trial') throw new AppError('invalid-transition')
    if (input.lastDay < getToday()) throw fieldError('lastDay', 'Le dernier jour de l’essai ne peut pas être passé.')
    const end = Temporal.PlainDate.from(input.lastDay).add({ days: 1 }).toZonedDateTime('Europe/Paris')
    const trialEndsAt = new Date(end.epochMilliseconds)
    await tx.update(companies).set({ trialEndsAt }).where(eq(companies.id, companyId))
    await tx
      .update(subscriptions)
      .set({ version: row.version + 1 })
      .where(eq(subscriptions.companyId, companyId))
  })

export const deliverAddOn = (tx: Db, actor: Actor, companyId: number, id: string) =>
  writeForOtherCompany(tx, actor, companyId, async () =>
    saveAddOn(tx, await lockAddOn(tx, companyId, id, 'ordered'), { state: 'done' }),
  )

/** The documents issued to a company, latest first. */
const listSubscriptionDocuments = async (db: Db, companyId: number): Promise<InvoiceRecord[]> =>
  (await loadSubscriptionDocuments(db, companyId)).reverse()

/** The open amount of each, read from the accounts of the installation operator. */
async function computeSubscriptionOpenAmounts(
  db: Db,
  documents: readonly InvoiceRecord[],
): Promise<Map<string, number>> {
  const open = new Map<string, number>()
  for (const [sellerId, own] of Map.groupBy(documents, ({ companyId }) => companyId)) {
    const buyers = [...new Set(own.flatMap(({ buyerId }) => buyerId ?? []))]
    const left = await loadOpenAmounts(db, sellerId, buyers)
    for (const { id } of own) open.set(id, left.get(id) ?? 0)
  }
  return open
}

export async function listPlatformInvoices(db: Db, { companyId }: Actor): Promise<PlatformInvoice[]> {
  const documents = await listSubscriptionDocuments(db, companyId)
  const left = await computeSubscriptionOpenAmounts(db, documents)
  return documents.map(({ id, number, kind, issuedOn, dueOn, net, gross, snapshot }) => {
    const open = left.get(id) ?? 0
    const state = getInvoiceState({ kind, dueOn, open }, getToday())
    const hasXml = buildInvoiceXml(snapshot) !== null
    return {
      id,
      number,
      kind: snapshot.kind,
      label: snapshot.operation.name,
      issuedOn,
      dueOn,
      net,
      gross,
      open,
      state,
      hasXml,
    }
  })
}

/** Loads an invoice of the company itself; those of others are answered as not found. */
export async function loadPlatformInvoice(db: Db, { companyId }: Actor, id: string): Promise<InvoiceRecord> {
  const invoice = (await loadSubscriptionDocuments(db, companyId)).find((one) => one.id === id)
  if (!invoice) throw new AppError('not-found')
  return invoice
}
