import { existsSync, readFileSync } from 'node:fs'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { describe, expect, test } from 'vitest'
import { buildInvoiceXml } from './invoice-xml.ts'
import {
  createCreditNoteSnapshot,
  createExemptInvoiceSnapshot,
  createInvoiceSnapshot,
  createPublicInvoiceSnapshot,
  createStatementSnapshot,
} from './testing/snapshots.ts'

const NS = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}
/** Debited by the organiser, who collects for the seller. */
const debited = (): InvoiceSnapshot => ({
  ...createInvoiceSnapshot(),
  debit: {
    creditor: 'Les Toits d’Été',
    ics: 'FR72ZZZ123456',
    rum: 'TIL-7731-AB',
    ibanEnd: '4407',
    collectionOn: '2026-06-22',
  },
})
const KINDS = {
  invoice: createInvoiceSnapshot,
  creditNote: createCreditNoteSnapshot,
  publicInvoice: createPublicInvoiceSnapshot,
  exemptInvoice: createExemptInvoiceSnapshot,
  debited,
}

function read(snapshot: InvoiceSnapshot) {
  const xml = XmlDocument.fromString(buildInvoiceXml(snapshot) ?? '')
  const all = (path: string) => xml.find(path, NS).map((node) => node.content)
  return { all, one: (path: string) => all(path)[0] }
}
/** '12.345' as an integer of so many decimal places. */
const scaled = (text: string, places: number) => {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(`${whole}${part.padEnd(places, '0')}`)
}
const halfUp = (value: bigint, by: bigint) => {
  const sign = value < 0n ? -1n : 1n
  return sign * ((value * sign * 2n + by) / (2n * by))
}

describe.each(Object.entries(KINDS))('%s', (_, make) => {
  const { all, one } = read(make())
  const items = '//ram:IncludedSupplyChainTradeLineItem'

  test('each line is quantity times price, and totals are the sums of lines', () => {
    const quantities = all(`${items}//ram:BilledQuantity`)
    const prices = all(`${items}//ram:ChargeAmount`)
    const nets = all(`${items}//ram:LineTotalAmount`).map((text) => scaled(text, 2))
    expect(quantities.length).toBe(make().lines.length)
    for (const [at, net] of nets.entries())
      expect(halfUp(scaled(quantities[at] ?? '', 3) * scaled(prices[at] ?? '', 5), 10n ** 6n)).toBe(net)
    const sums = '//ram:SpecifiedTradeSettlementHeaderMonetarySummation'
    expect(nets.reduce((sum, net) => sum + net, 0n)).toBe(scaled(one(`${sums}/ram:LineTotalAmount`) ?? '', 2))
    const [base = '', tax = '', gross = ''] = ['TaxBasisTotalAmount', 'TaxTotalAmount', 'GrandTotalAmount'].map(
      (name) => one(`${sums}/ram:${name}`) ?? '',
    )
    expect(scaled(base, 2) + scaled(tax, 2)).toBe(scaled(gross, 2))
    const groups = all('//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:BasisAmount')
    expect(groups.reduce((sum, text) => sum + scaled(text, 2), 0n)).toBe(scaled(base, 2))
  })
})

test('a price keeps four decimals, a quantity three, and names are escaped', () => {
  const { all, one } = read(createInvoiceSnapshot())
  expect(all('//ram:NetPriceProductTradePrice/ram:ChargeAmount')).toEqual(['0.1543', '0.1489', '2.37'])
  expect(all('//ram:BilledQuantity')).toEqual(['31.417', '38.208', '1'])
  expect(one('//ram:SpecifiedTradeProduct/ram:Name')).toContain('<A & B>')
  expect(all('//ram:IncludedSupplyChainTradeLineItem//ram:BillingSpecifiedPeriod//udt:DateTimeString')).toEqual([
    '20260501',
    '20260514',
    '20260515',
    '20260531',
    '20260501',
    '20260531',
  ])
  expect(one('//ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID')).toBe('M1')
  expect(one('//ram:BuyerTradeParty/ram:Name')).toBe('Claire Morel, Jean Morel')
  const allowance = '//ram:SpecifiedTradeAllowanceCharge'
  expect([one(`${allowance}//udt:Indicator`), one(`${allowance}/ram:ActualAmount`)]).toEqual(['false', '0.53'])
})

test('accise has five decimals', () => {
  const base = createInvoiceSnapshot()
  const [first] = base.lines
  if (first?.kind !== 'energy') throw new Error('an energy line is expected')
  const { price: _, trace: _t, source: _s, wattMinutes: _w, units: _u, ...shared } = first
  const line = { ...shared, kind: 'accise' as const, centsPerMwh: 3085, acciseClass: 'ménages', net: 97 }
  const { all } = read({ ...base, lines: [line] })
  expect(all('//ram:NetPriceProductTradePrice/ram:ChargeAmount')).toEqual(['0.03085'])
})

test('a credit note is a 381 naming its invoice; reversed quantities are negative, prices never', () => {
  const { all, one } = read(createCreditNoteSnapshot())
  expect(one('//rsm:ExchangedDocument/ram:TypeCode')).toBe('381')
  expect(one('//ram:InvoiceReferencedDocument/ram:IssuerAssignedID')).toBe('SOL2026-00042')
  expect(all('//ram:BilledQuantity')).toEqual(['31.417', '-29.001'])
  expect(all('//ram:ChargeAmount').every((text) => !text.startsWith('-'))).toBe(true)
  expect(all('//ram:PayeePartyCreditorFinancialAccount')).toEqual([])
})

test('outside VAT there is no rate or number; an exempt seller is identified by its SIREN', () => {
  const outside = read(createPublicInvoiceSnapshot())
  expect(outside.all('//ram:RateApplicablePercent')).toEqual([])
  expect(outside.all('//ram:SpecifiedTaxRegistration')).toEqual([])
  expect(outside.one('//ram:ExemptionReasonCode')).toBe('VATEX-EU-O')
  expect(outside.one('//ram:BuyerReference')).toBe('ECOLES')
  expect(outside.one('//ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID')).toBe('EJ-2026-118')
  const exempt = read(createExemptInvoiceSnapshot())
  expect(exempt.one('//ram:SellerTradeParty/ram:SpecifiedTaxRegistration/ram:ID[@schemeID="FC"]')).toBe('552081317')
  expect(exempt.one('//ram:ExemptionReasonCode')).toBe('VATEX-FR-FRANCHISE')
  expect(exempt.one('//ram:ExemptionReason')).toContain('CIBS')
})

test('a debit is stated: code 59, mandate and creditor, without an account to pay to', () => {
  const { all, one } = read(debited())
  expect(all('//ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode')).toEqual(['59'])
  expect(one('//ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID')).toBe('TIL-7731-AB')
  expect(one('//ram:ApplicableHeaderTradeSettlement/ram:CreditorReferenceID')).toBe('FR72ZZZ123456')
  expect(one('//ram:PayeeTradeParty/ram:Name')).toBe('Les Toits d’Été')
  expect(all('//ram:PayeePartyCreditorFinancialAccount')).toEqual([])
  expect(read(createInvoiceSnapshot()).all('//ram:PayeeTradeParty')).toEqual([])
})

test('there is no XML for a statement, or for a seller without a SIREN', () => {
  expect(buildInvoiceXml(createStatementSnapshot())).toBeNull()
  const base = createInvoiceSnapshot()
  expect(buildInvoiceXml({ ...base, seller: { ...base.seller, siren: '' } })).toBeNull()
})

const root = process.env.VOISOL_DATA ?? new URL('../../../../shared/data', import.meta.url).pathname
const schema = `${root}/einvoice/Factur-X_EN16931.xsd`
if (existsSync(schema)) {
  xmlRegisterFsInputProviders()
  const rules = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schema), { url: schema }))
  test.each(Object.entries(KINDS))('%s is valid under the Factur-X EN 16931 schema', (_, make) => {
    const document = XmlDocument.fromString(buildInvoiceXml(make()) ?? '')
    expect(() => rules.validate(document)).not.toThrow()
  })
  test('the schema refuses an invalid invoice', () => {
    const broken = (buildInvoiceXml(createInvoiceSnapshot()) ?? '').replace('<ram:TypeCode>380</ram:TypeCode>', '')
    expect(() => rules.validate(XmlDocument.fromString(broken))).toThrow()
  })
} else {
  console.warn(`Schéma Factur-X sauté : ${schema} absent.`)
  test.skip(`skipped: no ${schema}`, () => {})
}
