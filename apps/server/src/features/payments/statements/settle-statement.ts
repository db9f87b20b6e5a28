import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { FeePart } from '@voisol/contract/sellers'
import type { ProducerStatement } from '@voisol/contract/statements'
import { formatAmount, formatDecimal } from '@voisol/documents/number-and-date-formats'
import { addDays } from '@voisol/money/days'
import { getVatRate } from '@voisol/money/document-lines'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, producerStatements } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { issueDocuments, type SnapshotDraft } from '../../billing/invoices/index.ts'
import {
  findVatModeOn,
  loadOrganisersByOperation,
  loadSellers,
  type SellerRow,
  toSnapshotSeller,
} from '../../billing/parties/index.ts'
import { type EffectiveSettings, loadSettingsOn } from '../../billing/settings/index.ts'
import {
  type FrozenStatement,
  findOrganiser,
  getNextMonthStart,
  loadSoldDocuments,
  loadStatement,
  type SoldDocument,
} from './producer-statement.ts'

type StatementFees = Pick<ProducerStatement, 'month' | 'fees' | 'fee' | 'sales'>
type FeeDraftInput = {
  secrets: Secrets
  settings: EffectiveSettings
  organiser: SellerRow
  producer: SellerRow
  operation: InvoiceSnapshot['operation']
  statement: StatementFees
}

const FEE_LABELS: Record<FeePart['kind'], string> = {
  perKwh: 'Gestion, au kWh partagé',
  percentNet: 'Gestion, en part des ventes HT',
  fixed: 'Gestion, forfait mensuel',
}

/** Quantity × price must give the computed amount; a percentage of sales is one unit at its amount. */
function toQuantityAndPrice({ terms, cents }: StatementFees['fees'][number], wh: number) {
  if (terms.kind === 'perKwh')
    return { quantity: formatDecimal(wh, 3), unit: 'KWH', price: formatDecimal(terms.price, 4) }
  return { quantity: cents < 0 ? '-1' : '1', unit: 'C62', price: formatAmount(Math.abs(cents)) }
}

function toFeeLines(
  { fees, sales, month }: StatementFees,
  vat: Pick<SnapshotLine, 'category' | 'rate'>,
): SnapshotLine[] {
  return fees
    .filter(({ cents }) => cents !== 0)
    .map((fee, at) => ({
      kind: 'service',
      prm: '',
      member: '',
      from: month,
      to: getNextMonthStart(month),
      rule: `${fee.terms.kind} ${at}`,
      label: FEE_LABELS[fee.terms.kind],
      liable: false,
      net: fee.cents,
      ...vat,
      ...toQuantityAndPrice(fee, sales.wh),
    }))
}

/** The mentions required by law on an invoice for services between professionals. */
const buildFeeMentions = (settings: EffectiveSettings, mode: string) =>
  (
    [
      'mention.categoryServices',
      ...(mode === 'exempt' ? (['mention.exempt'] as const) : []),
      ...(mode === 'outside' ? (['mention.outside'] as const) : []),
      ...(mode === 'elsewhere' ? (['mention.elsewhere'] as const) : []),
      'mention.penalties',
      'mention.recovery',
      'mention.discount',
    ] as const
  ).map((name) => ({ name, text: settings[name].value }))

function toClientBuyer({
  id,
  name,
  siren,
  siret,
  vatNumber,
  email,
  phone,
  ...place
}: SellerRow): InvoiceSnapshot['buyer'] {
  const { address, postalCode, city, country } = place
  return {
    id,
    kind: siren ? 'company' : 'person',
    name,
    jointHolders: [],
    siren,
    siret,
    vatNumber,
    serviceCode: '',
    engagement: '',
    email,
    phone,
    address,
    postalCode,
    city,
    country,
    delivery: 'mail',
  }
}

/** The organiser's invoice to a producer for a month of management. */
function buildFeeDraft({ secrets, settings, organiser, producer, operation, statement }: FeeDraftInput): SnapshotDraft {
  const { month, fee } = statement
  const to = getNextMonthStart(month)
  const mode = findVatModeOn(organiser, addDays(to, -1)) ?? 'standard'
  const vat = getVatRate(mode, producer.managementFeeRate)
  return {
    seriesKind: 'invoice',
    dueDays: settings['due.days'].value,
    clientSellerId: producer.id,
    snapshot: {
      format: 1,
      kind: 'invoice',
      typeCode: 380,
      from: month,
      to,
      apart: false,
      seller: toSnapshotSeller(secrets, organiser, mode),
      buyer: toClientBuyer(producer),
      operation,
      mandate: null,
      lines: toFeeLines(statement, vat),
      allowances: [],
      vat: [{ ...vat, base: fee.net, tax: fee.tax }],
      totals: { lines: fee.net, allowances: 0, net: fee.net, tax: fee.tax, gross: fee.gross },
      points: [],
      corrects: null,
      mentions: buildFeeMentions(settings, mode),
      sources: { computation: '', runs: [], keys: [], tariffs: [], settings: [] },
    },
  }
}

const getLastDay = (month: string) => addDays(getNextMonthStart(month), -1)

async function loadSnapshotOperation(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  if (!row) throw new AppError('not-found')
  return { id: row.id, name: row.name, accNumber: row.accNumber ?? '', pmoName: row.pmoName, pmoSiren: row.pmoSiren }
}

type FeeInvoiceInput = { secrets: Secrets; actor: Actor; seller: SellerRow; sellers: SellerRow[]; sold: SoldDocument[] }

/** The organiser's fee invoice, if there are fees. */
async function invoiceFees(
  tx: Db,
  { secrets, actor, seller, sellers, sold }: FeeInvoiceInput,
  statement: FrozenStatement,
) {
  const [first] = sold
  if (statement.fee.gross === 0 || !first) return null
  const { companyId } = actor
  const organiser = findOrganiser(await loadOrganisersByOperation(tx, companyId), sold, sellers)
  if (!organiser)
    throw new AppError('conflict', {
      message:
        'L’organisateur qui facture les frais n’est pas choisi\u00a0: indiquez-le dans la facturation de l’opération.',
    })
  if (!findVatModeOn(organiser, getLastDay(statement.month)))
    throw new AppError('conflict', {
      message: `Le régime de TVA de ${organiser.name} n’est pas renseigné\u00a0: ses frais ne peuvent pas être facturés.`,
    })
  const operation = await loadSnapshotOperation(tx, companyId, first.operationId)
  const settings = await loadSettingsOn(tx, companyId, getToday())
  const draft = buildFeeDraft({ secrets, settings, organiser, producer: seller, operation, statement })
  const order = {
    companyId,
    operationId: operation.id,
    computationId: null,
    issuedBy: formatActorName(actor),
    drafts: [draft],
  }
  const { ids } = await issueDocuments(tx, secrets, order)
  return ids[0] ?? null
}

/** Freezes a producer's month and invoices the organiser's fees; a second call changes nothing. */
export async function settleStatement(tx: Db, secrets: Secrets, actor: Actor, sellerId: string, month: string) {
  const { companyId } = actor
  // Concurrent settlements of a month wait for each other on the seller's row.
  const { rows } = await tx.$client.query('select 1 from sellers where company_id = $1 and id = $2 for update', [
    companyId,
    sellerId,
  ])
  if (!rows.length) throw new AppError('not-found')
  const { settled, waits, items: _, ...statement } = await loadStatement(tx, actor, sellerId, month)
  if (settled) return { statement: { ...statement, settled, waits }, already: true }
  if (waits) throw new AppError('conflict', { message: waits })
  const sellers = await loadSellers(tx, companyId)
  const seller = sellers.find(({ id }) => id === sellerId)
  if (!seller) throw new AppError('not-found')
  const sold = await loadSoldDocuments(tx, companyId, {
    sellerId,
    from: statement.month,
    to: getNextMonthStart(statement.month),
  })
  const invoiceId = await invoiceFees(tx, { secrets, actor, seller, sellers, sold }, statement)
  await tx.insert(producerStatements).values({
    companyId,
    sellerId,
    month: statement.month,
    snapshot: statement,
    invoiceId,
    createdBy: formatActorName(actor),
  })
  const { items: __, ...settledStatement } = await loadStatement(tx, actor, sellerId, month)
  return { statement: settledStatement, already: false }
}
