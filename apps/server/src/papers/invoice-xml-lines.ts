import type { SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { amount, decimal } from './decimals.ts'
import { element, optional, type Xml } from './xml.ts'

const compact = (day: string) => day.replaceAll('-', '')

export const dateOf = (name: string, day: string): Xml =>
  element(name, [element('udt:DateTimeString', compact(day), { format: '102' })])

/** The days of our spans end before `to`; those of an invoice end on their last day. */
export const periodOf = ({ from, to }: { from: string; to: string }): Xml =>
  element('ram:BillingSpecifiedPeriod', [dateOf('ram:StartDateTime', from), dateOf('ram:EndDateTime', addDays(to, -1))])

type Tax = { category: string; rate: number }

/** Category O bears no rate at all. */
export const rateOf = ({ category, rate }: Tax): Xml | null =>
  category === 'O' ? null : element('ram:RateApplicablePercent', decimal(rate, 2))

type Measured = { quantity: string; unit: string; price: string }

/** Quantity × price is the net, exactly as printed: 4 decimals of a euro per kWh, 5 for the accise. */
export function measured(line: SnapshotLine): Measured {
  if (line.kind === 'energy') return { quantity: decimal(line.wh, 3), unit: 'KWH', price: decimal(line.price, 4) }
  if (line.kind === 'accise') return { quantity: decimal(line.wh, 3), unit: 'KWH', price: decimal(line.centsPerMwh, 5) }
  if (line.kind === 'service') return line
  // What is taken back is a quantity below zero: prices never are.
  return { quantity: line.net < 0 ? '-1' : '1', unit: 'C62', price: amount(Math.abs(line.net)) }
}

const ROLES = { cancel: 'Annulation', replace: 'Remplacement' } as const

export function lineItem(line: SnapshotLine, at: number): Xml {
  const { quantity, unit, price } = measured(line)
  const name = line.role ? `${ROLES[line.role]}\u00a0: ${line.label}` : line.label
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', `${at + 1}`)]),
    element('ram:SpecifiedTradeProduct', [
      element('ram:Name', name),
      optional('ram:Description', line.prm && `PRM ${line.prm}`),
    ]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [
        element('ram:ChargeAmount', price),
        element('ram:BasisQuantity', '1', { unitCode: unit }),
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', quantity, { unitCode: unit })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', line.category),
        rateOf(line),
      ]),
      periodOf(line),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [element('ram:LineTotalAmount', amount(line.net))]),
    ]),
  ])
}
