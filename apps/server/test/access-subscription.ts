import { subscriptionAddOns, subscriptionInvoices, subscriptions } from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'
import { UNKNOWN_ID } from './nobody.ts'

const createAddOnMaker =
  (secret: string): ParamsMaker =>
  async ({ db }, { companyId }) => {
    await db.insert(subscriptions).values({ companyId }).onConflictDoNothing()
    const values = { companyId, kind: 'training', price: 99_000, state: 'ordered', orderedOn: '2026-03-05', by: secret }
    const [row] = await db.insert(subscriptionAddOns).values(values).returning()
    return { companyId, id: row?.id }
  }

/** A document that belongs to the company but not to its seller: another company finds neither. */
const invoice: ParamsMaker = async ({ db }, { companyId }) => {
  const values = { companyId, sellerCompanyId: companyId, invoiceId: UNKNOWN_ID, kind: 'plan' }
  await db.insert(subscriptionInvoices).values(values).onConflictDoNothing()
  return { id: UNKNOWN_ID }
}

/** Subscription objects. */
export const subscriptionMakers = (secret: string): [RegExp, ParamsMaker][] => [
  [/^\/api\/(subscription\/add-ons\/:id|installation\/subscriptions\/:companyId)/, createAddOnMaker(secret)],
  [/^\/api\/subscription\/invoices\/:id/, invoice],
]
