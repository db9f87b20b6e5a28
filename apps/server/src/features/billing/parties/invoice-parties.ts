import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { VatMode } from '@voisol/contract/money'
import { isDayInPeriod } from '@voisol/money/days'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, billingMandates, sellers } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { decryptSellerIban } from './change-seller.ts'
import type { SellerRow } from './load-parties.ts'
import { isMandateInForce } from './party-issues.ts'

/** The VAT mode of a seller on a day; undefined when none was set. */
export const findVatModeOn = ({ vat }: SellerRow, day: string): VatMode | undefined =>
  vat.find((span) => isDayInPeriod(span, day))?.mode

/** A seller as its documents print it, bank account included. */
export function toSnapshotSeller(secrets: Secrets, seller: SellerRow, vatMode: VatMode): InvoiceSnapshot['seller'] {
  const {
    id,
    name,
    siren,
    siret,
    vatNumber,
    email,
    phone,
    address,
    postalCode,
    city,
    country,
    legalForm,
    bic,
    payfip,
  } = seller
  const place = { address, postalCode, city, country }
  const iban = decryptSellerIban(secrets, seller) ?? ''
  return {
    id,
    name,
    siren,
    siret,
    vatNumber,
    email,
    phone,
    ...place,
    legalForm,
    vatMode,
    iban,
    bic,
    ...(payfip && { payfip }),
  }
}

export type Creditor = { id: string; name: string; ics: string; organiser: boolean }

/** Sellers that may debit: those with a bank account that has an ICS, oldest account first. */
async function loadSellersWithIcs(db: Db, companyId: number): Promise<Map<string, Creditor>> {
  const rows = await db
    .select({ id: sellers.id, name: sellers.name, ics: bankAccounts.ics, participantId: sellers.participantId })
    .from(bankAccounts)
    .innerJoin(sellers, and(eq(sellers.companyId, bankAccounts.companyId), eq(sellers.id, bankAccounts.ownerId)))
    .where(and(eq(bankAccounts.companyId, companyId), eq(bankAccounts.kind, 'bank'), ne(bankAccounts.ics, '')))
    .orderBy(asc(bankAccounts.createdAt), asc(bankAccounts.id))
  const found = new Map<string, Creditor>()
  for (const { id, name, ics, participantId } of rows)
    if (!found.has(id)) found.set(id, { id, name, ics, organiser: participantId === null })
  return found
}

type BillingMandateRow = typeof billingMandates.$inferSelect

/**
 * Who debits for each seller on a day: the seller itself when its account has an ICS, otherwise the organiser when the
 * billing mandate of that day covers collecting. A seller absent from the result is paid in other ways.
 */
export async function loadCreditorsOn(
  db: Db,
  companyId: number,
  day: string,
  knownMandates?: readonly BillingMandateRow[],
): Promise<Map<string, Creditor>> {
  const creditors = await loadSellersWithIcs(db, companyId)
  const organiser = [...creditors.values()].find((one) => one.organiser)
  if (!organiser) return creditors
  const mandates =
    knownMandates ??
    (await db
      .select()
      .from(billingMandates)
      .where(and(eq(billingMandates.companyId, companyId), eq(billingMandates.collects, true))))
  for (const mandate of mandates.filter(({ collects }) => collects))
    if (!creditors.has(mandate.sellerId) && isMandateInForce(mandate, day)) creditors.set(mandate.sellerId, organiser)
  return creditors
}

/** The sellers whose invoices a creditor debits on a day, itself included. */
export const loadSellerIdsOfCreditor = async (
  db: Db,
  companyId: number,
  creditorId: string,
  day: string,
): Promise<string[]> =>
  [...(await loadCreditorsOn(db, companyId, day))]
    .filter(([, { id }]) => id === creditorId)
    .map(([sellerId]) => sellerId)
