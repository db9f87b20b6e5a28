import type { subscription as endpoints, Subscriber } from '@voisol/contract/subscription'
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
import { listAddOns, lockAddOn, saveAddOn, toAddOn } from './add-ons.ts'
import { startPlan } from './choose.ts'
import { lockSubscription, parsePlan } from './find.ts'
import { computeSubscriptionOpenAmounts, listSubscriptionDocuments } from './invoices.ts'
import { renewOrEndSubscription } from './settle.ts'
import { isSubscriptionReadOnly } from './view.ts'

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
