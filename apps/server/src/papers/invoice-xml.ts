import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { amount, decimal } from './decimals.ts'
import { dateOf, lineItem, periodOf, rateOf } from './invoice-xml-lines.ts'
import { buyerParty, sellerParty } from './invoice-xml-parties.ts'
import { element, joined, optional, type Xml } from './xml.ts'

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}
const EN_16931 = 'urn:cen.eu:en16931:2017'
const CURRENCY = { currencyID: 'EUR' }

/** BT-23: goods, services, or both; not yet paid. */
function billingMode({ lines }: InvoiceSnapshot): string {
  const services = lines.filter(({ kind }) => kind === 'fee' || kind === 'service').length
  return services === 0 ? 'B1' : services === lines.length ? 'S1' : 'M1'
}

const mentionOf = ({ mentions }: InvoiceSnapshot, name: string) =>
  mentions.find((mention) => mention.name === name)?.text ?? ''
/** The subject under which a receiver looks for a sentence. */
const SUBJECTS: Record<string, string> = {
  'mention.recovery': 'PMT',
  'mention.penalties': 'PMD',
  'mention.discount': 'AAB',
}

const note = (content: string, subject?: string): Xml =>
  element('ram:IncludedNote', [element('ram:Content', content), subject ? element('ram:SubjectCode', subject) : null])

function notes(snapshot: InvoiceSnapshot): Xml[] {
  const { mentions, buyer, corrects } = snapshot
  return [
    ...mentions.map(({ name, text }) => note(text, SUBJECTS[name])),
    ...(corrects?.reason ? [note(corrects.reason)] : []),
    note(buyer.kind === 'person' ? 'B2C' : 'B2B', 'BAR'),
  ]
}

/** Why a group bears no tax: by code where the list has one, always in words. */
function exemption(snapshot: InvoiceSnapshot, category: string): { reason: Xml | null; code: Xml | null } {
  if (category === 'S') return { reason: null, code: null }
  const { vatMode } = snapshot.seller
  const [name, code] =
    category === 'O'
      ? ['mention.outside', 'VATEX-EU-O']
      : vatMode === 'elsewhere'
        ? ['mention.elsewhere', '']
        : ['mention.exempt', 'VATEX-FR-FRANCHISE']
  return {
    reason: optional(
      'ram:ExemptionReason',
      mentionOf(snapshot, name) || (category === 'O' ? 'Hors champ de la TVA' : ''),
    ),
    code: optional('ram:ExemptionReasonCode', code),
  }
}

function tax(snapshot: InvoiceSnapshot, group: InvoiceSnapshot['vat'][number]): Xml {
  const { reason, code } = exemption(snapshot, group.category)
  return element('ram:ApplicableTradeTax', [
    element('ram:CalculatedAmount', amount(group.tax)),
    element('ram:TypeCode', 'VAT'),
    reason,
    element('ram:BasisAmount', amount(group.base)),
    element('ram:CategoryCode', group.category),
    code,
    rateOf(group),
  ])
}

const allowance = ({
  label,
  amount: cents,
  percentBp,
  base,
  category,
  rate,
}: InvoiceSnapshot['allowances'][number]): Xml =>
  element('ram:SpecifiedTradeAllowanceCharge', [
    // One that a correction takes back in part is a charge of the difference.
    element('ram:ChargeIndicator', [element('udt:Indicator', cents < 0 ? 'true' : 'false')]),
    percentBp == null ? null : element('ram:CalculationPercent', decimal(percentBp, 2)),
    percentBp == null || base === undefined ? null : element('ram:BasisAmount', amount(base)),
    element('ram:ActualAmount', amount(Math.abs(cents))),
    element('ram:Reason', label || 'Remise'),
    element('ram:CategoryTradeTax', [
      element('ram:TypeCode', 'VAT'),
      element('ram:CategoryCode', category),
      rateOf({ category, rate }),
    ]),
  ])

/** 59 is a SEPA direct debit: its mandate stands in the terms, its creditor at the head of the settlement. */
function paymentMeans({ seller, kind, debit }: InvoiceSnapshot): Xml | null {
  if (debit) return element('ram:SpecifiedTradeSettlementPaymentMeans', [element('ram:TypeCode', '59')])
  if (!seller.iban || kind === 'creditNote') return null
  return element('ram:SpecifiedTradeSettlementPaymentMeans', [
    element('ram:TypeCode', '58'),
    element('ram:PayeePartyCreditorFinancialAccount', [element('ram:IBANID', seller.iban.replace(/\s/g, ''))]),
    seller.bic ? element('ram:PayeeSpecifiedCreditorFinancialInstitution', [element('ram:BICID', seller.bic)]) : null,
  ])
}

function summation({ totals, allowances }: InvoiceSnapshot): Xml {
  const given = allowances.filter((each) => each.amount > 0).reduce((sum, each) => sum + each.amount, 0)
  const charged = allowances.filter((each) => each.amount < 0).reduce((sum, each) => sum - each.amount, 0)
  return element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
    element('ram:LineTotalAmount', amount(totals.lines)),
    charged ? element('ram:ChargeTotalAmount', amount(charged)) : null,
    given ? element('ram:AllowanceTotalAmount', amount(given)) : null,
    element('ram:TaxBasisTotalAmount', amount(totals.net)),
    element('ram:TaxTotalAmount', amount(totals.tax), CURRENCY),
    element('ram:GrandTotalAmount', amount(totals.gross)),
    element('ram:DuePayableAmount', amount(totals.gross)),
  ])
}

function settlement(snapshot: InvoiceSnapshot): Xml {
  const { number, vat, allowances, corrects, dueOn, debit, seller } = snapshot
  return element('ram:ApplicableHeaderTradeSettlement', [
    debit ? element('ram:CreditorReferenceID', debit.ics) : null,
    element('ram:PaymentReference', number),
    element('ram:InvoiceCurrencyCode', 'EUR'),
    debit && debit.creditor !== seller.name
      ? element('ram:PayeeTradeParty', [element('ram:Name', debit.creditor)])
      : null,
    paymentMeans(snapshot),
    joined(vat.map((group) => tax(snapshot, group))),
    periodOf(snapshot),
    joined(allowances.map(allowance)),
    element('ram:SpecifiedTradePaymentTerms', [
      dateOf('ram:DueDateDateTime', dueOn),
      debit ? element('ram:DirectDebitMandateID', debit.rum) : null,
    ]),
    summation(snapshot),
    corrects
      ? element('ram:InvoiceReferencedDocument', [
          element('ram:IssuerAssignedID', corrects.number),
          element('ram:FormattedIssueDateTime', [
            element('qdt:DateTimeString', corrects.issuedOn.replaceAll('-', ''), { format: '102' }),
          ]),
        ])
      : null,
  ])
}

const agreement = (snapshot: InvoiceSnapshot): Xml =>
  element('ram:ApplicableHeaderTradeAgreement', [
    optional('ram:BuyerReference', snapshot.buyer.serviceCode),
    sellerParty(snapshot.seller),
    buyerParty(snapshot),
    snapshot.buyer.engagement
      ? element('ram:BuyerOrderReferencedDocument', [element('ram:IssuerAssignedID', snapshot.buyer.engagement)])
      : null,
    snapshot.operation.accNumber
      ? element('ram:ContractReferencedDocument', [element('ram:IssuerAssignedID', snapshot.operation.accNumber)])
      : null,
  ])

/** Factur-X, profile EN 16931, from integers; null for what is no invoice, and for a seller who has no SIREN. */
export function invoiceXml(snapshot: InvoiceSnapshot): string | null {
  const { typeCode, seller, number, issuedOn, lines } = snapshot
  if (typeCode === null || !seller.siren) return null
  const document = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:BusinessProcessSpecifiedDocumentContextParameter', [element('ram:ID', billingMode(snapshot))]),
        element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', EN_16931)]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', number),
        element('ram:TypeCode', `${typeCode}`),
        dateOf('ram:IssueDateTime', issuedOn),
        ...notes(snapshot),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...lines.map(lineItem),
        agreement(snapshot),
        element('ram:ApplicableHeaderTradeDelivery', [
          element('ram:ActualDeliverySupplyChainEvent', [dateOf('ram:OccurrenceDateTime', addDays(snapshot.to, -1))]),
        ]),
        settlement(snapshot),
      ]),
    ],
    NAMESPACES,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document.markup}\n`
}
