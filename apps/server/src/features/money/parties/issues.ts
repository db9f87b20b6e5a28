import type { PartyIssue } from '@voisol/contract/sellers'
import { covers } from '@voisol/money/days'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMandates, companies } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import { today } from '../../../today.ts'
import { type BuyerRow, buyersOf } from './buyers.ts'
import { type SellerRow, sellersOf } from './sellers.ts'

type Placed = { address: string; postalCode: string; city: string }
type Mandate = { sellerId: string; startsOn: string; endsOn: string | null }
/** `day` is the last of the month that is supplied, `issuedOn` the one on which its invoices are made. */
type On = { day: string; issuedOn: string }

export const isPlaced = ({ address, postalCode, city }: Placed) => Boolean(address && postalCode && city)

/** Whoever makes invoices in its own name needs nobody's word: the organiser, or a seller that is the company itself. */
export const needsMandate = (seller: Pick<SellerRow, 'participantId' | 'siren'>, companySiren: string) =>
  seller.participantId !== null && !(seller.siren && seller.siren === companySiren)

export const mandateCovers = ({ startsOn, endsOn }: Omit<Mandate, 'sellerId'>, day: string) =>
  covers({ from: startsOn, to: endsOn }, day)

const sellerHref = (id: string) => `/advanced-billing?tab=sellers&seller=${id}`
const buyerHref = (id: string) => `/advanced-billing?tab=buyers&buyer=${id}`

type Found = [wrong: unknown, level: PartyIssue['level'], code: string, sentence: string]
const listed = (about: Pick<PartyIssue, 'sellerId' | 'buyerId' | 'href'>, found: Found[]): PartyIssue[] =>
  found.filter(([wrong]) => wrong).map(([, level, code, sentence]) => ({ code, level, ...about, sentence }))

export function sellerIssues(
  seller: SellerRow,
  { day, issuedOn, mandates, companySiren }: On & { mandates: readonly Mandate[]; companySiren: string },
): PartyIssue[] {
  const { id, name } = seller
  const mode = seller.vat.find((span) => covers(span, day))?.mode
  const own = mandates.filter(({ sellerId }) => sellerId === id)
  const unmandated = needsMandate(seller, companySiren) && !own.some((mandate) => mandateCovers(mandate, issuedOn))
  return listed({ sellerId: id, href: sellerHref(id) }, [
    [
      !isPlaced(seller),
      'error',
      'seller-address',
      `${name} n’a pas d’adresse complète\u00a0: une facture doit la porter.`,
    ],
    [!mode, 'error', 'seller-vat', `Le régime de TVA de ${name} n’est pas renseigné au ${frenchDay(day)}.`],
    [
      unmandated,
      'error',
      'seller-mandate',
      `Aucun mandat de facturation de ${name} ne couvre le ${frenchDay(issuedOn)}\u00a0: rien ne peut être émis en son nom.`,
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

export function buyerIssues(buyer: BuyerRow): PartyIssue[] {
  const { id, name, kind } = buyer
  return listed({ buyerId: id, href: buyerHref(id) }, [
    [
      !isPlaced(buyer),
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

/** No law asks for an account on an invoice; for a SIREN only where professionals are sold to, who get an electronic one. */
const withAdvice = (issue: PartyIssue, between: boolean): PartyIssue =>
  issue.code === 'seller-iban' || (issue.code === 'seller-siren' && !between) ? { ...issue, advice: true } : issue

type Asked = { sellerIds: readonly string[]; buyerIds: readonly string[]; day: string; issuedOn?: string }

/** What stands in the way of the invoices of these parties, each with the screen that settles it. */
export async function partyIssues(
  db: Db,
  companyId: number,
  { sellerIds, buyerIds, day, issuedOn = today() }: Asked,
): Promise<PartyIssue[]> {
  const wanted = new Set(sellerIds)
  const sellers = (await sellersOf(db, companyId)).filter(({ id }) => wanted.has(id))
  const about = { day, issuedOn, ...(await standing(db, companyId)) }
  const buyers = await buyersOf(db, companyId, [...new Set(buyerIds)])
  const between = [...buyers.values()].some(({ kind }) => kind !== 'person')
  return [
    ...sellers.flatMap((seller) => sellerIssues(seller, about)).map((issue) => withAdvice(issue, between)),
    ...[...buyers.values()].sort((a, b) => a.name.localeCompare(b.name, 'fr')).flatMap(buyerIssues),
  ]
}

/** What a seller is held against: the company's mandates and its own number. */
export async function standing(db: Db, companyId: number) {
  const mandates = await db.select().from(billingMandates).where(eq(billingMandates.companyId, companyId))
  const [company] = await db.select({ siren: companies.siren }).from(companies).where(eq(companies.id, companyId))
  return { mandates, companySiren: company?.siren ?? '' }
}
