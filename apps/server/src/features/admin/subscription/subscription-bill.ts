import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { PLAN_VAT } from '@voisol/contract/plan-prices'
import type { PlanLine } from '@voisol/contract/subscription'
import { formatAmount } from '@voisol/documents/number-and-date-formats'
import { getVatRate } from '@voisol/money/document-lines'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import {
  type companies,
  invoices,
  participants,
  subscriptionBuyers,
  subscriptionInvoices,
  subscriptions,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import {
  findInvoiceById,
  type InvoiceRecord,
  issueDocuments,
  type SnapshotDraft,
  sendDocuments,
  toInvoiceRecord,
} from '../../billing/invoices/index.ts'
import {
  addSeller,
  addVat,
  findVatModeOn,
  loadSellers,
  type SellerRow,
  toSnapshotSeller,
} from '../../billing/parties/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { loadCompanyRow, type SubscriptionRow } from './find-subscription.ts'
import { computePlanTotals } from './quote.ts'

type Line = z.infer<typeof PlanLine>
type SubscriberCompany = Awaited<ReturnType<typeof loadCompanyRow>>
type SubscriptionBill = {
  kind: 'plan' | 'addOn' | 'credit'
  title: string
  lines: Line[]
  on: string
  by: string
}
type CorrectedDocument = InvoiceSnapshot['corrects']

/**
 * The subscribing company as a participant of the installation operator's company, so that it is invoiced, paid and
 * reminded like any other customer.
 */
async function getOrCreateCustomer(
  tx: Db,
  row: SubscriptionRow,
  siteOwnerId: number,
  company: SubscriberCompany,
): Promise<string> {
  const known = await findSubscriptionBuyerId(tx, siteOwnerId, row.companyId)
  if (known) return known
  const { country: _, ...place } = parsePostalAddress(company)
  const name = company.legalName || company.name
  const { siren, email, phone } = company
  const values = {
    companyId: siteOwnerId,
    kind: 'organisation',
    name,
    siren,
    email,
    phone,
    ...place,
    tags: ['abonnement'],
  }
  const [made] = await tx.insert(participants).values(values).returning({ id: participants.id })
  if (!made) throw new Error('the customer was not added')
  await recordEvent(tx, {
    companyId: siteOwnerId,
    name: 'participant.created',
    object: made.id,
    data: { participantId: made.id, kind: 'organisation' },
  })
  await tx
    .insert(subscriptionBuyers)
    .values({ companyId: siteOwnerId, subscriberCompanyId: row.companyId, participantId: made.id })
  await setWriteCompany(tx, row.companyId)
  await tx
    .update(subscriptions)
    .set({ buyerId: made.id, sellerCompanyId: siteOwnerId })
    .where(eq(subscriptions.companyId, row.companyId))
  await setWriteCompany(tx, siteOwnerId)
  return made.id
}

const toPrintedBuyer = (id: string, company: SubscriberCompany): InvoiceSnapshot['buyer'] => ({
  id,
  kind: 'company',
  name: company.legalName || company.name,
  jointHolders: [],
  siren: company.siren,
  siret: '',
  vatNumber: '',
  serviceCode: '',
  engagement: '',
  email: company.email,
  phone: company.phone,
  ...parsePostalAddress(company),
  delivery: 'mail',
})

const toServiceLine = (
  { label, from, to, net }: Line,
  at: number,
  vat: ReturnType<typeof getVatRate>,
): SnapshotLine => ({
  kind: 'service',
  prm: '',
  member: '',
  from,
  to,
  rule: `subscription ${at}`,
  label,
  liable: false,
  net,
  ...vat,
  quantity: net < 0 ? '-1' : '1',
  unit: 'C62',
  price: formatAmount(Math.abs(net)),
})

const MENTION_NAMES = ['mention.categoryServices', 'mention.penalties', 'mention.recovery', 'mention.discount'] as const
const EXEMPTION_MENTIONS = {
  exempt: 'mention.exempt',
  outside: 'mention.outside',
  elsewhere: 'mention.elsewhere',
} as const

const getPeriodOfLines = (lines: readonly Line[]) => ({
  from: lines.map(({ from }) => from).sort()[0] ?? '',
  to:
    lines
      .map(({ to }) => to)
      .sort()
      .at(-1) ?? '',
})

/** Builds the draft of an invoice, or of a credit note that refers to the invoice and has the same lines. */
async function buildBillDraft(
  tx: Db,
  { secrets }: Pick<Deps, 'secrets'>,
  context: BillContext,
  bill: SubscriptionBill,
): Promise<SnapshotDraft> {
  const { keeper, seller, buyer, corrects } = context
  const mode = findVatModeOn(seller, bill.on) ?? 'standard'
  const vat = getVatRate(mode, PLAN_VAT)
  const { net, tax, gross } = computePlanTotals(bill.lines, vat.rate)
  const settings = await loadSettingsOn(tx, keeper, bill.on)
  const names = [...MENTION_NAMES, ...(mode === 'standard' ? [] : [EXEMPTION_MENTIONS[mode]])]
  return {
    seriesKind: 'invoice',
    dueDays: corrects ? 0 : settings['due.days'].value,
    snapshot: {
      format: 1,
      kind: corrects ? 'creditNote' : 'invoice',
      typeCode: corrects ? 381 : 380,
      ...getPeriodOfLines(bill.lines),
      apart: false,
      seller: toSnapshotSeller(secrets, seller, mode),
      buyer,
      operation: { id: null, name: bill.title, accNumber: '', pmoName: '', pmoSiren: '' },
      mandate: null,
      lines: bill.lines.map((line, at) => toServiceLine(line, at, vat)),
      allowances: [],
      vat: [{ ...vat, base: net, tax }],
      totals: { lines: net, allowances: 0, net, tax, gross },
      points: [],
      corrects: corrects ?? null,
      mentions: names.map((name) => ({ name, text: settings[name].value })),
      sources: { computation: '', runs: [], keys: [], tariffs: [], settings: [] },
    },
  }
}
type BillContext = { keeper: number; seller: SellerRow; buyer: InvoiceSnapshot['buyer']; corrects?: CorrectedDocument }

/**
 * Issues and sends an invoice for a subscription, in the operator's own invoice sequence and through the common
 * invoicing code. The operator does not bill itself.
 */
export async function issueSubscriptionBill(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  row: SubscriptionRow,
  bill: SubscriptionBill,
  corrects?: CorrectedDocument,
) {
  const siteOwnerId = await requireSellingCompany(tx)
  const { companyId } = row
  if (siteOwnerId === companyId) return
  const company = await loadCompanyRow(tx, companyId)
  await setWriteCompany(tx, siteOwnerId)
  const seller = await getOrCreatePlatformSeller(tx, siteOwnerId, bill.on)
  const buyer = toPrintedBuyer(await getOrCreateCustomer(tx, row, siteOwnerId, company), company)
  const draft = await buildBillDraft(
    tx,
    deps,
    { keeper: siteOwnerId, seller, buyer, ...(corrects && { corrects }) },
    bill,
  )
  const order = { companyId: siteOwnerId, operationId: null, computationId: null, issuedBy: bill.by, on: bill.on }
  const { ids } = await issueDocuments(tx, deps.secrets, { ...order, drafts: [draft] })
  await sendDocuments(tx, { companyId: siteOwnerId, ids, by: bill.by })
  const [invoiceId = ''] = ids
  const issued = await findInvoiceById(tx, siteOwnerId, invoiceId)
  await setWriteCompany(tx, companyId)
  if (!issued) throw new Error('a document was issued')
  await tx.insert(subscriptionInvoices).values({ companyId, sellerCompanyId: siteOwnerId, invoiceId, kind: bill.kind })
  const { number, gross } = issued
  const data = { invoiceId, number, gross, credit: corrects !== undefined }
  await recordEvent(tx, { companyId, name: 'subscription.invoiced', object: invoiceId, data })
}

/** The customer record under which the installation operator invoices a company. */
async function findSubscriptionBuyerId(db: Db, siteOwnerId: number, companyId: number): Promise<string | undefined> {
  const [row] = await db
    .select({ id: subscriptionBuyers.participantId })
    .from(subscriptionBuyers)
    .where(and(eq(subscriptionBuyers.companyId, siteOwnerId), eq(subscriptionBuyers.subscriberCompanyId, companyId)))
  return row?.id
}

/**
 * The documents that the installation operator issued to a company for its subscription. The linking rows belong to the
 * company and may come from an imported backup: only a document sold by the operator to this very company, and for no
 * operation, is accepted.
 */
export async function loadSubscriptionDocuments(
  db: Db,
  companyId: number,
  kind?: 'plan' | 'addOn' | 'credit',
): Promise<InvoiceRecord[]> {
  const siteOwnerId = await loadSiteOwnerId(db)
  const buyerId = siteOwnerId === NO_SITE_OWNER ? undefined : await findSubscriptionBuyerId(db, siteOwnerId, companyId)
  if (!buyerId) return []
  const references = await db
    .select({ id: subscriptionInvoices.invoiceId })
    .from(subscriptionInvoices)
    .where(
      and(
        eq(subscriptionInvoices.companyId, companyId),
        eq(subscriptionInvoices.sellerCompanyId, siteOwnerId),
        kind && eq(subscriptionInvoices.kind, kind),
      ),
    )
  if (!references.length) return []
  const ids = references.map(({ id }) => id)
  const sold = and(eq(invoices.companyId, siteOwnerId), eq(invoices.buyerId, buyerId), isNull(invoices.operationId))
  const rows = await db
    .select()
    .from(invoices)
    .where(and(sold, inArray(invoices.id, ids)))
  return rows
    .map(toInvoiceRecord)
    .sort((a, b) => (a.issuedOn === b.issuedOn ? a.position - b.position : a.issuedOn < b.issuedOn ? -1 : 1))
}

type SellingCompany = typeof companies.$inferSelect

/** Parses « 12 rue des Tilleuls, 69007 Lyon » into the parts that a document prints. */
function parsePostalAddress({ address }: Pick<SellingCompany, 'address'>) {
  const found = /^(.*?)[,\n]?\s*\b(\d{5})\s+([^,\n]+)$/s.exec(address.trim())
  const [, street = address, postalCode = '', city = ''] = found ?? []
  return { address: street.trim(), postalCode, city: city.trim(), country: 'FR' }
}

const SELLER_PREFIX = 'ABO'

/** The company that operates the installation and sells the subscriptions. */
async function requireSellingCompany(db: Db): Promise<number> {
  const siteOwnerId = await loadSiteOwnerId(db)
  if (siteOwnerId === NO_SITE_OWNER)
    throw new AppError('conflict', {
      message: 'Aucune organisation ne tient encore cette installation\u00a0: personne ne peut vous facturer.',
    })
  return siteOwnerId
}

/**
 * The seller for subscription invoices: created on first use from the company's details, with its own invoice sequence.
 */
async function getOrCreatePlatformSeller(tx: Db, siteOwnerId: number, day: string): Promise<SellerRow> {
  const find = async () => (await loadSellers(tx, siteOwnerId)).find(({ prefix }) => prefix === SELLER_PREFIX)
  const known = await find()
  if (known) return known
  // Of two companies billed first at the same moment, one creates the seller and the other waits and finds it.
  await lockCompany(tx, siteOwnerId)
  const madeMeanwhile = await find()
  if (madeMeanwhile) return madeMeanwhile
  const company = await loadCompanyRow(tx, siteOwnerId)
  const actor = await authorizeJob(tx, { companyId: siteOwnerId, userId: null }, { permission: 'parties.write' })
  const { id } = await addSeller(tx, actor, {
    participantId: null,
    name: company.legalName || company.name,
    legalForm: '',
    siren: company.siren,
    siret: '',
    vatNumber: '',
    ...parsePostalAddress(company),
    email: company.email,
    phone: company.phone,
    prefix: SELLER_PREFIX,
    payfip: '',
    managementFees: [],
    managementFeeRate: 2000,
  })
  await addVat(tx, actor, id, { startsOn: `${day.slice(0, 4)}-01-01`, mode: 'standard', rate: 2000 })
  const made = await find()
  if (!made) throw new Error('the seller was added')
  return made
}
