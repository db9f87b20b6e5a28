import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/money/days'
import { formatAmount, formatDecimal } from './number-and-date-formats.ts'
import { buildElement, buildOptionalElement, joinElements, type Xml } from './write-xml.ts'

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

type Party = Pick<
  InvoiceSnapshot['seller'],
  'name' | 'siren' | 'siret' | 'vatNumber' | 'address' | 'postalCode' | 'city' | 'country' | 'email'
>

/** Scheme 0002: SIREN; scheme 0225: address of the French invoicing directory, else an e-mail. */
const SIREN = '0002'
const SIRET = '0009'
const ROUTING = '0225'

function buildElectronicAddress({ siren, siret, email }: Party): Xml | null {
  const id = siret || siren
  const address = id
    ? buildElement('ram:URIID', siren || id, { schemeID: ROUTING })
    : buildOptionalElement('ram:URIID', email, { schemeID: 'EM' })
  return address && buildElement('ram:URIUniversalCommunication', [address])
}

function buildLegalOrganisation({ siren }: Party): Xml | null {
  return siren
    ? buildElement('ram:SpecifiedLegalOrganization', [buildElement('ram:ID', siren, { schemeID: SIREN })])
    : null
}

const buildPostalAddress = ({ address, postalCode, city, country }: Party): Xml => {
  const [first = '', second = '', ...more] = address.split('\n').map((line) => line.trim())
  return buildElement('ram:PostalTradeAddress', [
    buildOptionalElement('ram:PostcodeCode', postalCode),
    buildOptionalElement('ram:LineOne', first),
    buildOptionalElement('ram:LineTwo', second),
    buildOptionalElement('ram:LineThree', more.filter(Boolean).join(', ')),
    buildOptionalElement('ram:CityName', city),
    buildElement('ram:CountryID', country || 'FR'),
  ])
}

const buildTaxRegistration = (id: string, scheme: 'VA' | 'FC'): Xml | null =>
  id ? buildElement('ram:SpecifiedTaxRegistration', [buildElement('ram:ID', id, { schemeID: scheme })]) : null

/** Outside VAT there is no VAT number; an exempt seller without one is identified by its SIREN. */
function buildSellerTax({ vatMode, vatNumber, siren }: InvoiceSnapshot['seller']): Xml | null {
  if (vatMode === 'outside') return null
  return vatNumber ? buildTaxRegistration(vatNumber, 'VA') : buildTaxRegistration(siren, 'FC')
}

const buildSellerParty = (seller: InvoiceSnapshot['seller']): Xml =>
  buildElement('ram:SellerTradeParty', [
    seller.siret ? buildElement('ram:GlobalID', seller.siret, { schemeID: SIRET }) : null,
    buildElement('ram:Name', seller.name),
    buildLegalOrganisation(seller),
    buildPostalAddress(seller),
    buildElectronicAddress(seller),
    buildSellerTax(seller),
  ])

const buildBuyerParty = ({ seller, buyer }: InvoiceSnapshot): Xml =>
  buildElement('ram:BuyerTradeParty', [
    buyer.siret ? buildElement('ram:GlobalID', buyer.siret, { schemeID: SIRET }) : null,
    buildElement('ram:Name', [buyer.name, ...buyer.jointHolders].join(', ')),
    buildLegalOrganisation(buyer),
    buildPostalAddress(buyer),
    buildElectronicAddress(buyer),
    seller.vatMode === 'outside' ? null : buildTaxRegistration(buyer.vatNumber, 'VA'),
  ])

const formatCompactDay = (day: string) => day.replaceAll('-', '')

const buildDateElement = (name: string, day: string): Xml =>
  buildElement(name, [buildElement('udt:DateTimeString', formatCompactDay(day), { format: '102' })])

/** Our periods end before `to`; those of an invoice end on their last day. */
const buildPeriodElement = ({ from, to }: { from: string; to: string }): Xml =>
  buildElement('ram:BillingSpecifiedPeriod', [
    buildDateElement('ram:StartDateTime', from),
    buildDateElement('ram:EndDateTime', addDays(to, -1)),
  ])

type Tax = { category: string; rate: number }

/** VAT category O (outside) has no rate at all. */
const buildRateElement = ({ category, rate }: Tax): Xml | null =>
  category === 'O' ? null : buildElement('ram:RateApplicablePercent', formatDecimal(rate, 2))

type LineQuantity = { quantity: string; unit: string; price: string }

/** Quantity × price is exactly the printed net: 4 decimals of a euro per kWh, 5 for the accise. */
function getLineQuantity(line: SnapshotLine): LineQuantity {
  if (line.kind === 'energy')
    return { quantity: formatDecimal(line.wh, 3), unit: 'KWH', price: formatDecimal(line.price, 4) }
  if (line.kind === 'accise')
    return { quantity: formatDecimal(line.wh, 3), unit: 'KWH', price: formatDecimal(line.centsPerMwh, 5) }
  if (line.kind === 'service') return line
  // A reversal has a negative quantity: a price is never negative (EN 16931).
  return { quantity: line.net < 0 ? '-1' : '1', unit: 'C62', price: formatAmount(Math.abs(line.net)) }
}

const ROLE_LABELS = { cancel: 'Annulation', replace: 'Remplacement' } as const

function buildLineItem(line: SnapshotLine, at: number): Xml {
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
