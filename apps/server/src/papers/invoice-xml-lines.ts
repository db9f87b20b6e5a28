import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { formatAmount, formatDecimal } from './decimals.ts'
import { buildElement, buildOptionalElement, type Xml } from './xml.ts'

const formatCompactDay = (day: string) => day.replaceAll('-', '')

export const buildDateElement = (name: string, day: string): Xml =>
  buildElement(name, [buildElement('udt:DateTimeString', formatCompactDay(day), { format: '102' })])

/** Our periods end before `to`; those of an invoice end on their last day. */
export const buildPeriodElement = ({ from, to }: { from: string; to: string }): Xml =>
  buildElement('ram:BillingSpecifiedPeriod', [
    buildDateElement('ram:StartDateTime', from),
    buildDateElement('ram:EndDateTime', addDays(to, -1)),
  ])

type Tax = { category: string; rate: number }

/** VAT category O (outside) has no rate at all. */
export const buildRateElement = ({ category, rate }: Tax): Xml | null =>
  category === 'O' ? null : buildElement('ram:RateApplicablePercent', formatDecimal(rate, 2))

type LineQuantity = { quantity: string; unit: string; price: string }

/** Quantity × price is exactly the printed net: 4 decimals of a euro per kWh, 5 for the accise. */
export function getLineQuantity(line: SnapshotLine): LineQuantity {
  if (line.kind === 'energy')
    return { quantity: formatDecimal(line.wh, 3), unit: 'KWH', price: formatDecimal(line.price, 4) }
  if (line.kind === 'accise')
    return { quantity: formatDecimal(line.wh, 3), unit: 'KWH', price: formatDecimal(line.centsPerMwh, 5) }
  if (line.kind === 'service') return line
  // A reversal has a negative quantity: a price is never negative (EN 16931).
  return { quantity: line.net < 0 ? '-1' : '1', unit: 'C62', price: formatAmount(Math.abs(line.net)) }
}

const ROLE_LABELS = { cancel: 'Annulation', replace: 'Remplacement' } as const

export function buildLineItem(line: SnapshotLine, at: number): Xml {
  const { quantity, unit, price } = getLineQuantity(line)
  const name = line.role ? `${ROLE_LABELS[line.role]}\u00a0: ${line.label}` : line.label
  return buildElement('ram:IncludedSupplyChainTradeLineItem', [
    buildElement('ram:AssociatedDocumentLineDocument', [buildElement('ram:LineID', `${at + 1}`)]),
    buildElement('ram:SpecifiedTradeProduct', [
      buildElement('ram:Name', name),
      buildOptionalElement('ram:Description', line.prm && `PRM ${line.prm}`),
    ]),
    buildElement('ram:SpecifiedLineTradeAgreement', [
      buildElement('ram:NetPriceProductTradePrice', [
        buildElement('ram:ChargeAmount', price),
        buildElement('ram:BasisQuantity', '1', { unitCode: unit }),
      ]),
    ]),
    buildElement('ram:SpecifiedLineTradeDelivery', [buildElement('ram:BilledQuantity', quantity, { unitCode: unit })]),
    buildElement('ram:SpecifiedLineTradeSettlement', [
      buildElement('ram:ApplicableTradeTax', [
        buildElement('ram:TypeCode', 'VAT'),
        buildElement('ram:CategoryCode', line.category),
        buildRateElement(line),
      ]),
      buildPeriodElement(line),
      buildElement('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        buildElement('ram:LineTotalAmount', formatAmount(line.net)),
      ]),
    ]),
  ])
}
