import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { PLAN_VAT } from '@voisol/contract/plan-prices'
import type { PlanLine } from '@voisol/contract/subscription'
import { getVatRate } from '@voisol/money/vat'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { participants, subscriptionBuyers, subscriptionInvoices, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatAmount } from '../../../papers/decimals.ts'
import { findInvoiceById, issueDocuments, type SnapshotDraft, sendDocuments } from '../../money/invoices/invoices.ts'
import { findVatModeOn, type SellerRow, toSnapshotSeller } from '../../money/parties/parties.ts'
import { loadSettingsOn } from '../../money/settings/settings.ts'
import { findSubscriptionBuyerId } from './buyers.ts'
import { loadCompanyRow, type SubscriptionRow } from './find.ts'
import { computePlanTotals } from './quote.ts'
import { getOrCreatePlatformSeller, parsePostalAddress, requireSellingCompany } from './seller.ts'

type Line = z.infer<typeof PlanLine>
type Company = Awaited<ReturnType<typeof loadCompanyRow>>
export type SubscriptionBill = {
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
  company: Company,
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

const toPrintedBuyer = (id: string, company: Company): InvoiceSnapshot['buyer'] => ({
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
