import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { formatAmount, formatDecimal } from './decimals.ts'
import { buildDateElement, buildLineItem, buildPeriodElement, buildRateElement } from './invoice-xml-lines.ts'
import { buildBuyerParty, buildSellerParty } from './invoice-xml-parties.ts'
import { buildElement, buildOptionalElement, joinElements, type Xml } from './xml.ts'

const NAMESPACES = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
}
const EN_16931 = 'urn:cen.eu:en16931:2017'
const CURRENCY = { currencyID: 'EUR' }

/** BT-23: goods, services, or both; not yet paid. */
function getBillingMode({ lines }: InvoiceSnapshot): string {
  const services = lines.filter(({ kind }) => kind === 'fee' || kind === 'service').length
  return services === 0 ? 'B1' : services === lines.length ? 'S1' : 'M1'
}

const getMentionText = ({ mentions }: InvoiceSnapshot, name: string) =>
  mentions.find((mention) => mention.name === name)?.text ?? ''
/** The subject code under which receivers file a note. */
const NOTE_SUBJECTS: Record<string, string> = {
  'mention.recovery': 'PMT',
  'mention.penalties': 'PMD',
  'mention.discount': 'AAB',
}

const buildNote = (content: string, subject?: string): Xml =>
  buildElement('ram:IncludedNote', [
    buildElement('ram:Content', content),
    subject ? buildElement('ram:SubjectCode', subject) : null,
  ])

function buildNotes(snapshot: InvoiceSnapshot): Xml[] {
  const { mentions, buyer, corrects } = snapshot
  return [
    ...mentions.map(({ name, text }) => buildNote(text, NOTE_SUBJECTS[name])),
    ...(corrects?.reason ? [buildNote(corrects.reason)] : []),
    buildNote(buyer.kind === 'person' ? 'B2C' : 'B2B', 'BAR'),
  ]
}

/** Why a group bears no tax: by code where one exists, always as text. */
function getExemption(snapshot: InvoiceSnapshot, category: string): { reason: Xml | null; code: Xml | null } {
  if (category === 'S') return { reason: null, code: null }
  const { vatMode } = snapshot.seller
  const [name, code] =
    category === 'O'
      ? ['mention.outside', 'VATEX-EU-O']
      : vatMode === 'elsewhere'
        ? ['mention.elsewhere', '']
        : ['mention.exempt', 'VATEX-FR-FRANCHISE']
  return {
    reason: buildOptionalElement(
      'ram:ExemptionReason',
      getMentionText(snapshot, name) || (category === 'O' ? 'Hors champ de la TVA' : ''),
    ),
    code: buildOptionalElement('ram:ExemptionReasonCode', code),
  }
}

function buildTax(snapshot: InvoiceSnapshot, group: InvoiceSnapshot['vat'][number]): Xml {
  const { reason, code } = getExemption(snapshot, group.category)
  return buildElement('ram:ApplicableTradeTax', [
    buildElement('ram:CalculatedAmount', formatAmount(group.tax)),
    buildElement('ram:TypeCode', 'VAT'),
    reason,
    buildElement('ram:BasisAmount', formatAmount(group.base)),
    buildElement('ram:CategoryCode', group.category),
    code,
    buildRateElement(group),
  ])
}

const buildAllowance = ({
  label,
  amount: cents,
  percentBp,
  base,
  category,
  rate,
}: InvoiceSnapshot['allowances'][number]): Xml =>
  buildElement('ram:SpecifiedTradeAllowanceCharge', [
    // An allowance partly reversed by a correction becomes a charge of the difference.
    buildElement('ram:ChargeIndicator', [buildElement('udt:Indicator', cents < 0 ? 'true' : 'false')]),
    percentBp == null ? null : buildElement('ram:CalculationPercent', formatDecimal(percentBp, 2)),
    percentBp == null || base === undefined ? null : buildElement('ram:BasisAmount', formatAmount(base)),
    buildElement('ram:ActualAmount', formatAmount(Math.abs(cents))),
    buildElement('ram:Reason', label || 'Remise'),
    buildElement('ram:CategoryTradeTax', [
      buildElement('ram:TypeCode', 'VAT'),
      buildElement('ram:CategoryCode', category),
      buildRateElement({ category, rate }),
    ]),
  ])

/** 59 is a SEPA direct debit: its mandate is in the payment terms, its creditor in the settlement header. */
function buildPaymentMeans({ seller, kind, debit }: InvoiceSnapshot): Xml | null {
  if (debit) return buildElement('ram:SpecifiedTradeSettlementPaymentMeans', [buildElement('ram:TypeCode', '59')])
  if (!seller.iban || kind === 'creditNote') return null
  return buildElement('ram:SpecifiedTradeSettlementPaymentMeans', [
    buildElement('ram:TypeCode', '58'),
    buildElement('ram:PayeePartyCreditorFinancialAccount', [
      buildElement('ram:IBANID', seller.iban.replace(/\s/g, '')),
    ]),
    seller.bic
      ? buildElement('ram:PayeeSpecifiedCreditorFinancialInstitution', [buildElement('ram:BICID', seller.bic)])
      : null,
  ])
}

function buildSummation({ totals, allowances }: InvoiceSnapshot): Xml {
  const given = allowances.filter((each) => each.amount > 0).reduce((sum, each) => sum + each.amount, 0)
  const charged = allowances.filter((each) => each.amount < 0).reduce((sum, each) => sum - each.amount, 0)
  return buildElement('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
    buildElement('ram:LineTotalAmount', formatAmount(totals.lines)),
    charged ? buildElement('ram:ChargeTotalAmount', formatAmount(charged)) : null,
    given ? buildElement('ram:AllowanceTotalAmount', formatAmount(given)) : null,
    buildElement('ram:TaxBasisTotalAmount', formatAmount(totals.net)),
    buildElement('ram:TaxTotalAmount', formatAmount(totals.tax), CURRENCY),
    buildElement('ram:GrandTotalAmount', formatAmount(totals.gross)),
    buildElement('ram:DuePayableAmount', formatAmount(totals.gross)),
  ])
}

function buildSettlement(snapshot: InvoiceSnapshot): Xml {
  const { number, vat, allowances, corrects, dueOn, debit, seller } = snapshot
  return buildElement('ram:ApplicableHeaderTradeSettlement', [
    debit ? buildElement('ram:CreditorReferenceID', debit.ics) : null,
    buildElement('ram:PaymentReference', number),
    buildElement('ram:InvoiceCurrencyCode', 'EUR'),
    debit && debit.creditor !== seller.name
      ? buildElement('ram:PayeeTradeParty', [buildElement('ram:Name', debit.creditor)])
      : null,
    buildPaymentMeans(snapshot),
    joinElements(vat.map((group) => buildTax(snapshot, group))),
    buildPeriodElement(snapshot),
    joinElements(allowances.map(buildAllowance)),
    buildElement('ram:SpecifiedTradePaymentTerms', [
      buildDateElement('ram:DueDateDateTime', dueOn),
      debit ? buildElement('ram:DirectDebitMandateID', debit.rum) : null,
    ]),
    buildSummation(snapshot),
    corrects
      ? buildElement('ram:InvoiceReferencedDocument', [
          buildElement('ram:IssuerAssignedID', corrects.number),
          buildElement('ram:FormattedIssueDateTime', [
            buildElement('qdt:DateTimeString', corrects.issuedOn.replaceAll('-', ''), { format: '102' }),
          ]),
        ])
      : null,
  ])
}

const buildAgreement = (snapshot: InvoiceSnapshot): Xml =>
  buildElement('ram:ApplicableHeaderTradeAgreement', [
    buildOptionalElement('ram:BuyerReference', snapshot.buyer.serviceCode),
    buildSellerParty(snapshot.seller),
    buildBuyerParty(snapshot),
    snapshot.buyer.engagement
      ? buildElement('ram:BuyerOrderReferencedDocument', [
          buildElement('ram:IssuerAssignedID', snapshot.buyer.engagement),
        ])
      : null,
    snapshot.operation.accNumber
      ? buildElement('ram:ContractReferencedDocument', [
          buildElement('ram:IssuerAssignedID', snapshot.operation.accNumber),
        ])
      : null,
  ])

/**
 * Factur-X, profile EN 16931, from integers; null for documents other than invoices, and for a seller without a SIREN.
 */
export function buildInvoiceXml(snapshot: InvoiceSnapshot): string | null {
  const { typeCode, seller, number, issuedOn, lines } = snapshot
  if (typeCode === null || !seller.siren) return null
  const document = buildElement(
    'rsm:CrossIndustryInvoice',
    [
      buildElement('rsm:ExchangedDocumentContext', [
        buildElement('ram:BusinessProcessSpecifiedDocumentContextParameter', [
          buildElement('ram:ID', getBillingMode(snapshot)),
        ]),
        buildElement('ram:GuidelineSpecifiedDocumentContextParameter', [buildElement('ram:ID', EN_16931)]),
      ]),
      buildElement('rsm:ExchangedDocument', [
        buildElement('ram:ID', number),
        buildElement('ram:TypeCode', `${typeCode}`),
        buildDateElement('ram:IssueDateTime', issuedOn),
        ...buildNotes(snapshot),
      ]),
      buildElement('rsm:SupplyChainTradeTransaction', [
        ...lines.map(buildLineItem),
        buildAgreement(snapshot),
        buildElement('ram:ApplicableHeaderTradeDelivery', [
          buildElement('ram:ActualDeliverySupplyChainEvent', [
            buildDateElement('ram:OccurrenceDateTime', addDays(snapshot.to, -1)),
          ]),
        ]),
        buildSettlement(snapshot),
      ]),
    ],
    NAMESPACES,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document.markup}\n`
}
