import { subscriptionAddOns, subscriptionInvoices, subscriptions } from '../src/db/schema/index.ts'
import type { Make } from './access-makers.ts'
import { NOBODY } from './nobody.ts'

const addOn =
  (secret: string): Make =>
  async ({ db }, { companyId }) => {
    await db.insert(subscriptions).values({ companyId }).onConflictDoNothing()
    const values = { companyId, kind: 'training', price: 99_000, state: 'ordered', orderedOn: '2026-03-05', by: secret }
    const [row] = await db.insert(subscriptionAddOns).values(values).returning()
    return { companyId, id: row?.id }
  }

/** A document of the company's, which its seller does not hold: another company finds neither. */
const invoice: Make = async ({ db }, { companyId }) => {
  const values = { companyId, sellerCompanyId: companyId, invoiceId: NOBODY, kind: 'plan' }
  await db.insert(subscriptionInvoices).values(values).onConflictDoNothing()
  return { id: NOBODY }
}

/** What a company subscribes to. */
export const subscriptionMakers = (secret: string): [RegExp, Make][] => [
  [/^\/api\/(subscription\/add-ons\/:id|installation\/subscriptions\/:companyId)/, addOn(secret)],
  [/^\/api\/subscription\/invoices\/:id/, invoice],
]
