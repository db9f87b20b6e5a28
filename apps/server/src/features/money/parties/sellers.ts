import type { VatStatus } from '@voisol/money/input'
import { and, asc, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMandates, sellers, sellerVat } from '../../../db/schema/index.ts'

export type SellerRow = typeof sellers.$inferSelect & { vat: VatStatus[] }

/** The sellers of a company with their VAT modes by day. */
export async function loadSellers(db: Db, companyId: number): Promise<SellerRow[]> {
  const rows = await db.select().from(sellers).where(eq(sellers.companyId, companyId)).orderBy(asc(sellers.prefix))
  const modes = await db
    .select()
    .from(sellerVat)
    .where(eq(sellerVat.companyId, companyId))
    .orderBy(asc(sellerVat.startsOn))
  const bySeller = Map.groupBy(modes, ({ sellerId }) => sellerId)
  return rows.map((row) => ({ ...row, vat: toVatPeriods(bySeller.get(row.id) ?? []) }))
}

/** Each mode applies until the next begins. */
const toVatPeriods = (modes: (typeof sellerVat.$inferSelect)[]): VatStatus[] =>
  modes.map(({ startsOn, mode, rate }, at) => ({
    from: startsOn,
    to: modes[at + 1]?.startsOn ?? null,
    // The column only stores these values.
    mode: mode as VatStatus['mode'],
    rate,
  }))

/** The billing mandate that covers a seller's invoices on a day. */
export async function loadBillingMandateOn(db: Db, companyId: number, sellerId: string, day: string) {
  const [row] = await db
    .select()
    .from(billingMandates)
    .where(
      and(
        eq(billingMandates.companyId, companyId),
        eq(billingMandates.sellerId, sellerId),
        lte(billingMandates.startsOn, day),
        or(isNull(billingMandates.endsOn), gt(billingMandates.endsOn, day)),
      ),
    )
    .orderBy(asc(billingMandates.startsOn))
    .limit(1)
  return row
}
