import type { PartyIssue } from '@voisol/contract/sellers'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { isDayInPeriod } from '@voisol/money/days'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMandates, companies } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { type BuyerRow, loadBuyers, loadSellers, type SellerRow } from './load-parties.ts'

type PostalAddress = { address: string; postalCode: string; city: string }
type MandatePeriod = { sellerId: string; startsOn: string; endsOn: string | null }
/** `day` is the last day of the month supplied, `issuedOn` the day its invoices are issued. */
type IssueDates = { day: string; issuedOn: string }

const hasCompleteAddress = ({ address, postalCode, city }: PostalAddress) => Boolean(address && postalCode && city)

/** No billing mandate is needed to invoice in one's own name: the organiser, or a seller that is the company itself. */
export const needsMandate = (seller: Pick<SellerRow, 'participantId' | 'siren'>, companySiren: string) =>
  seller.participantId !== null && !(seller.siren && seller.siren === companySiren)

export const isMandateInForce = ({ startsOn, endsOn }: Omit<MandatePeriod, 'sellerId'>, day: string) =>
  isDayInPeriod({ from: startsOn, to: endsOn }, day)

const sellerHref = (id: string) => `/advanced-billing?tab=sellers&seller=${id}`
const buyerHref = (id: string) => `/advanced-billing?tab=buyers&buyer=${id}`

type IssueRule = [wrong: unknown, level: PartyIssue['level'], code: string, sentence: string]
const toPartyIssues = (about: Pick<PartyIssue, 'sellerId' | 'buyerId' | 'href'>, found: IssueRule[]): PartyIssue[] =>
  found.filter(([wrong]) => wrong).map(([, level, code, sentence]) => ({ code, level, ...about, sentence }))

export function checkSeller(
  seller: SellerRow,
  { day, issuedOn, mandates, companySiren }: IssueDates & { mandates: readonly MandatePeriod[]; companySiren: string },
): PartyIssue[] {
  const { id, name } = seller
  const mode = seller.vat.find((span) => isDayInPeriod(span, day))?.mode
  const own = mandates.filter(({ sellerId }) => sellerId === id)
  const lacksMandate = needsMandate(seller, companySiren) && !own.some((mandate) => isMandateInForce(mandate, issuedOn))
  return toPartyIssues({ sellerId: id, href: sellerHref(id) }, [
    [
      !hasCompleteAddress(seller),
      'error',
      'seller-address',
      `${name} n’a pas d’adresse complète\u00a0: une facture doit la porter.`,
    ],
    [!mode, 'error', 'seller-vat', `Le régime de TVA de ${name} n’est pas renseigné au ${formatFrenchDay(day)}.`],
    [
      lacksMandate,
      'error',
      'seller-mandate',
      `Aucun mandat de facturation de ${name} ne couvre le ${formatFrenchDay(issuedOn)}\u00a0: rien ne peut être émis en son nom.`,
    ],
    [
      mode === 'elsewhere',
      'warning',
      'seller-vat-elsewhere',
      `${name}\u00a0: la TVA serait collectée par le fournisseur. Cet usage reste à confirmer avec votre comptable.`,
    ],
    [
      mode === 'standard' && !seller.vatNumber,
      'warning',
      'seller-vat-number',
      `${name} facture la TVA sans numéro de TVA\u00a0: une facture doit le porter.`,
    ],
    [
      !seller.siren,
      'warning',
      'seller-siren',
      `${name} n’a pas de SIREN\u00a0: ses factures seront des PDF, sans forme électronique.`,
    ],
    [!seller.iban, 'warning', 'seller-iban', `${name} n’a pas d’IBAN\u00a0: ses factures ne diront pas où payer.`],
  ])
}

export function checkBuyer(buyer: BuyerRow): PartyIssue[] {
  const { id, name, kind } = buyer
  return toPartyIssues({ buyerId: id, href: buyerHref(id) }, [
    [
      !hasCompleteAddress(buyer),
      'error',
      'buyer-address',
      `${name} n’a pas d’adresse complète\u00a0: une facture doit la porter.`,
    ],
    [
      kind === 'public' && !buyer.siret,
      'error',
      'buyer-siret',
      `${name} est une personne publique sans SIRET\u00a0: Chorus Pro refuse ses factures.`,
    ],
    [
      kind === 'company' && !buyer.siren,
      'error',
      'buyer-siren',
      `${name} est une entreprise sans SIREN\u00a0: une facture entre professionnels doit le porter.`,
    ],
  ])
}

/**
 * No law requires a bank account on an invoice, and a SIREN only when selling to professionals, who get an electronic
 * invoice.
 */
const markAdvice = (issue: PartyIssue, sellsToProfessionals: boolean): PartyIssue =>
  issue.code === 'seller-iban' || (issue.code === 'seller-siren' && !sellsToProfessionals)
    ? { ...issue, advice: true }
    : issue

type PartyIds = { sellerIds: readonly string[]; buyerIds: readonly string[] }

/** The two sides of some invoices, and the billing mandates under which they may be issued. */
export type InvoiceParties = Awaited<ReturnType<typeof loadInvoiceParties>>

export async function loadInvoiceParties(db: Db, companyId: number, { sellerIds, buyerIds }: PartyIds) {
  const wantedSellerIds = new Set(sellerIds)
  const sellers = (await loadSellers(db, companyId)).filter(({ id }) => wantedSellerIds.has(id))
  const buyers = await loadBuyers(db, companyId, [...new Set(buyerIds)])
  return { sellers, buyers, ...(await loadMandateContext(db, companyId)) }
}

/** Loads these parties and checks them. */
export const loadPartyIssues = async (
  db: Db,
  companyId: number,
  { sellerIds, buyerIds, ...dates }: PartyIds & { day: string; issuedOn?: string },
): Promise<PartyIssue[]> => checkInvoiceParties(await loadInvoiceParties(db, companyId, { sellerIds, buyerIds }), dates)

/** The billing mandate that covers a seller's invoices on a day: of several, the first to have begun. */
export const findBillingMandateOn = ({ mandates }: Pick<InvoiceParties, 'mandates'>, sellerId: string, day: string) =>
  mandates
    .filter((mandate) => mandate.sellerId === sellerId && isMandateInForce(mandate, day))
    .toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : 1))[0]

/** What blocks the invoices of these parties, each with the page where it is fixed. */
export function checkInvoiceParties(
  { sellers, buyers, mandates, companySiren }: InvoiceParties,
  { day, issuedOn = getToday() }: { day: string; issuedOn?: string },
): PartyIssue[] {
  const about = { day, issuedOn, mandates, companySiren }
  const sellsToProfessionals = [...buyers.values()].some(({ kind }) => kind !== 'person')
  return [
    ...sellers.flatMap((seller) => checkSeller(seller, about)).map((issue) => markAdvice(issue, sellsToProfessionals)),
    ...[...buyers.values()].sort((a, b) => a.name.localeCompare(b.name, 'fr')).flatMap(checkBuyer),
  ]
}

/** What sellers are checked against: the company's billing mandates, its SIREN and its name. */
export async function loadMandateContext(db: Db, companyId: number) {
  const mandates = await db.select().from(billingMandates).where(eq(billingMandates.companyId, companyId))
  const [company] = await db
    .select({ siren: companies.siren, name: companies.name })
    .from(companies)
    .where(eq(companies.id, companyId))
  return { mandates, companySiren: company?.siren ?? '', companyName: company?.name ?? '' }
}
