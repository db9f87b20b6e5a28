import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { PLAN_VAT } from '@voisol/contract/plan-prices'
import type { PlanLine } from '@voisol/contract/subscription'
import { vatOf } from '@voisol/money/vat'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { type Db, writeFor } from '../../../db/client.ts'
import { participants, subscriptionBuyers, subscriptionInvoices, subscriptions } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { amount } from '../../../papers/decimals.ts'
import { invoiceOf, issueDocuments, type SnapshotDraft, sendDocuments } from '../../money/invoices/invoices.ts'
import { printedSeller, type SellerRow, vatModeOn } from '../../money/parties/parties.ts'
import { settingsOn } from '../../money/settings/settings.ts'
import { findBuyerId } from './buyers.ts'
import { companyOf, type SubscriptionRow } from './find.ts'
import { totalsOf } from './quote.ts'
import { placeOf, platformSeller, sellingCompany } from './seller.ts'

type Line = z.infer<typeof PlanLine>
type Company = Awaited<ReturnType<typeof companyOf>>
export type Bill = { kind: 'plan' | 'addOn' | 'credit'; title: string; lines: Line[]; on: string; by: string }
type Corrects = InvoiceSnapshot['corrects']

/** The company as the keeper's customer: it stands among its participants, so that it is paid and reminded like any other. */
async function customerOf(tx: Db, row: SubscriptionRow, keeper: number, company: Company): Promise<string> {
  const known = await findBuyerId(tx, keeper, row.companyId)
  if (known) return known
  const { country: _, ...place } = placeOf(company)
  const name = company.legalName || company.name
  const { siren, email, phone } = company
  const values = { companyId: keeper, kind: 'organisation', name, siren, email, phone, ...place, tags: ['abonnement'] }
  const [made] = await tx.insert(participants).values(values).returning({ id: participants.id })
  if (!made) throw new Error('the customer was not added')
  await record(tx, {
    companyId: keeper,
    name: 'participant.created',
    object: made.id,
    data: { participantId: made.id, kind: 'organisation' },
  })
  await tx
    .insert(subscriptionBuyers)
    .values({ companyId: keeper, subscriberCompanyId: row.companyId, participantId: made.id })
  await writeFor(tx, row.companyId)
  await tx
    .update(subscriptions)
    .set({ buyerId: made.id, sellerCompanyId: keeper })
    .where(eq(subscriptions.companyId, row.companyId))
  await writeFor(tx, keeper)
  return made.id
}

const printedCustomer = (id: string, company: Company): InvoiceSnapshot['buyer'] => ({
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
  ...placeOf(company),
  delivery: 'mail',
})

const serviceLine = ({ label, from, to, net }: Line, at: number, vat: ReturnType<typeof vatOf>): SnapshotLine => ({
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
  price: amount(Math.abs(net)),
})

const MENTIONS = ['mention.categoryServices', 'mention.penalties', 'mention.recovery', 'mention.discount'] as const
const EXEMPT = { exempt: 'mention.exempt', outside: 'mention.outside', elsewhere: 'mention.elsewhere' } as const

const spanOf = (lines: readonly Line[]) => ({
  from: lines.map(({ from }) => from).sort()[0] ?? '',
  to:
    lines
      .map(({ to }) => to)
      .sort()
      .at(-1) ?? '',
})

/** The document of some lines; a credit note names what it takes back and prints the same figures. */
async function draftOf(tx: Db, { secrets }: Pick<Deps, 'secrets'>, scene: Scene, bill: Bill): Promise<SnapshotDraft> {
  const { keeper, seller, buyer, corrects } = scene
  const mode = vatModeOn(seller, bill.on) ?? 'standard'
  const vat = vatOf(mode, PLAN_VAT)
  const { net, tax, gross } = totalsOf(bill.lines, vat.rate)
  const settings = await settingsOn(tx, keeper, bill.on)
  const names = [...MENTIONS, ...(mode === 'standard' ? [] : [EXEMPT[mode]])]
  return {
    seriesKind: 'invoice',
    dueDays: corrects ? 0 : settings['due.days'].value,
    snapshot: {
      format: 1,
      kind: corrects ? 'creditNote' : 'invoice',
      typeCode: corrects ? 381 : 380,
      ...spanOf(bill.lines),
      apart: false,
      seller: printedSeller(secrets, seller, mode),
      buyer,
      operation: { id: null, name: bill.title, accNumber: '', pmoName: '', pmoSiren: '' },
      mandate: null,
      lines: bill.lines.map((line, at) => serviceLine(line, at, vat)),
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
type Scene = { keeper: number; seller: SellerRow; buyer: InvoiceSnapshot['buyer']; corrects?: Corrects }

/**
 * Issues what is asked of a company, in the keeper's own series and by the engine that issues all documents, and sends it.
 * The keeper asks nothing of itself.
 */
export async function issueBill(
  tx: Db,
  deps: Pick<Deps, 'secrets'>,
  row: SubscriptionRow,
  bill: Bill,
  corrects?: Corrects,
) {
  const keeper = await sellingCompany(tx)
  const { companyId } = row
  if (keeper === companyId) return
  const company = await companyOf(tx, companyId)
  await writeFor(tx, keeper)
  const seller = await platformSeller(tx, keeper, bill.on)
  const buyer = printedCustomer(await customerOf(tx, row, keeper, company), company)
  const draft = await draftOf(tx, deps, { keeper, seller, buyer, ...(corrects && { corrects }) }, bill)
  const order = { companyId: keeper, operationId: null, computationId: null, issuedBy: bill.by, on: bill.on }
  const { ids } = await issueDocuments(tx, deps.secrets, { ...order, drafts: [draft] })
  await sendDocuments(tx, { companyId: keeper, ids, by: bill.by })
  const [invoiceId = ''] = ids
  const issued = await invoiceOf(tx, keeper, invoiceId)
  await writeFor(tx, companyId)
  if (!issued) throw new Error('a document was issued')
  await tx.insert(subscriptionInvoices).values({ companyId, sellerCompanyId: keeper, invoiceId, kind: bill.kind })
  const { number, gross } = issued
  const data = { invoiceId, number, gross, credit: corrects !== undefined }
  await record(tx, { companyId, name: 'subscription.invoiced', object: invoiceId, data })
}
