import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { ManagementFee, ProducerStatement } from '@voisol/contract/statements'
import { addDays } from '@voisol/money/days'
import { vatOf } from '@voisol/money/vat'
import { amount, decimal } from '../../../papers/decimals.ts'
import type { Secrets } from '../../../secrets.ts'
import type { SnapshotDraft } from '../invoices/invoices.ts'
import { printedSeller, type SellerRow, vatModeOn } from '../parties/parties.ts'
import type { HeldSettings } from '../settings/settings.ts'
import { monthAfter } from './documents.ts'

type Told = Pick<ProducerStatement, 'month' | 'fees' | 'fee' | 'sales'>
export type FeeOrder = {
  secrets: Secrets
  settings: HeldSettings
  organiser: SellerRow
  producer: SellerRow
  operation: InvoiceSnapshot['operation']
  statement: Told
}

const LABELS: Record<ManagementFee['kind'], string> = {
  perKwh: 'Gestion, au kWh partagé',
  percentNet: 'Gestion, en part des ventes HT',
  fixed: 'Gestion, forfait mensuel',
}

/** Quantity × price is what was computed; a share of sales is one thing at its amount. */
function measured({ terms, cents }: Told['fees'][number], wh: number) {
  if (terms.kind === 'perKwh') return { quantity: decimal(wh, 3), unit: 'KWH', price: decimal(terms.price, 4) }
  return { quantity: cents < 0 ? '-1' : '1', unit: 'C62', price: amount(Math.abs(cents)) }
}

function linesOf({ fees, sales, month }: Told, vat: Pick<SnapshotLine, 'category' | 'rate'>): SnapshotLine[] {
  return fees
    .filter(({ cents }) => cents !== 0)
    .map((fee, at) => ({
      kind: 'service',
      prm: '',
      member: '',
      from: month,
      to: monthAfter(month),
      rule: `${fee.terms.kind} ${at}`,
      label: LABELS[fee.terms.kind],
      liable: false,
      net: fee.cents,
      ...vat,
      ...measured(fee, sales.wh),
    }))
}

/** Between professionals, of a service: what the law wants said. */
const mentionsOf = (settings: HeldSettings, mode: string) =>
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

function clientOf({ id, name, siren, siret, vatNumber, email, phone, ...place }: SellerRow): InvoiceSnapshot['buyer'] {
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

/** The organiser's own invoice to a producer for a month of management. */
export function feeDraft({ secrets, settings, organiser, producer, operation, statement }: FeeOrder): SnapshotDraft {
  const { month, fee } = statement
  const to = monthAfter(month)
  const mode = vatModeOn(organiser, addDays(to, -1)) ?? 'standard'
  const vat = vatOf(mode, producer.managementFeeRate)
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
      seller: printedSeller(secrets, organiser, mode),
      buyer: clientOf(producer),
      operation,
      mandate: null,
      lines: linesOf(statement, vat),
      allowances: [],
      vat: [{ ...vat, base: fee.net, tax: fee.tax }],
      totals: { lines: fee.net, allowances: 0, net: fee.net, tax: fee.tax, gross: fee.gross },
      points: [],
      corrects: null,
      mentions: mentionsOf(settings, mode),
      sources: { computation: '', runs: [], keys: [], tariffs: [], settings: [] },
    },
  }
}
