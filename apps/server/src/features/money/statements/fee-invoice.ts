import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { FeePart } from '@voisol/contract/sellers'
import type { ProducerStatement } from '@voisol/contract/statements'
import { addDays } from '@voisol/money/days'
import { getVatRate } from '@voisol/money/vat'
import { formatAmount, formatDecimal } from '../../../papers/decimals.ts'
import type { Secrets } from '../../../secrets.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import { findVatModeOn, type SellerRow, toSnapshotSeller } from '../parties/parties.ts'
import type { EffectiveSettings } from '../settings/settings.ts'
import { getNextMonthStart } from './documents.ts'

type StatementFees = Pick<ProducerStatement, 'month' | 'fees' | 'fee' | 'sales'>
export type FeeDraftInput = {
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
export function buildFeeDraft({
  secrets,
  settings,
  organiser,
  producer,
  operation,
  statement,
}: FeeDraftInput): SnapshotDraft {
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
