import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { element, optional, type Xml } from './xml.ts'

type Party = Pick<
  InvoiceSnapshot['seller'],
  'name' | 'siren' | 'siret' | 'vatNumber' | 'address' | 'postalCode' | 'city' | 'country' | 'email'
>

/** SIREN 0002; a routing address of the directory 0225, or a mail where nobody has one. */
const SIREN = '0002'
const SIRET = '0009'
const ROUTING = '0225'

function electronicAddress({ siren, siret, email }: Party): Xml | null {
  const id = siret || siren
  const address = id
    ? element('ram:URIID', siren || id, { schemeID: ROUTING })
    : optional('ram:URIID', email, { schemeID: 'EM' })
  return address && element('ram:URIUniversalCommunication', [address])
}

function legalOrganisation({ siren }: Party): Xml | null {
  return siren ? element('ram:SpecifiedLegalOrganization', [element('ram:ID', siren, { schemeID: SIREN })]) : null
}

const postalAddress = ({ address, postalCode, city, country }: Party): Xml => {
  const [first = '', second = '', ...more] = address.split('\n').map((line) => line.trim())
  return element('ram:PostalTradeAddress', [
    optional('ram:PostcodeCode', postalCode),
    optional('ram:LineOne', first),
    optional('ram:LineTwo', second),
    optional('ram:LineThree', more.filter(Boolean).join(', ')),
    optional('ram:CityName', city),
    element('ram:CountryID', country || 'FR'),
  ])
}

const registration = (id: string, scheme: 'VA' | 'FC'): Xml | null =>
  id ? element('ram:SpecifiedTaxRegistration', [element('ram:ID', id, { schemeID: scheme })]) : null

/** Outside VAT nobody bears a VAT number; an exempt seller without one is known to the tax office by its SIREN. */
function sellerTax({ vatMode, vatNumber, siren }: InvoiceSnapshot['seller']): Xml | null {
  if (vatMode === 'outside') return null
  return vatNumber ? registration(vatNumber, 'VA') : registration(siren, 'FC')
}

export const sellerParty = (seller: InvoiceSnapshot['seller']): Xml =>
  element('ram:SellerTradeParty', [
    seller.siret ? element('ram:GlobalID', seller.siret, { schemeID: SIRET }) : null,
    element('ram:Name', seller.name),
    legalOrganisation(seller),
    postalAddress(seller),
    electronicAddress(seller),
    sellerTax(seller),
  ])

export const buyerParty = ({ seller, buyer }: InvoiceSnapshot): Xml =>
  element('ram:BuyerTradeParty', [
    buyer.siret ? element('ram:GlobalID', buyer.siret, { schemeID: SIRET }) : null,
    element('ram:Name', [buyer.name, ...buyer.jointHolders].join(', ')),
    legalOrganisation(buyer),
    postalAddress(buyer),
    electronicAddress(buyer),
    seller.vatMode === 'outside' ? null : registration(buyer.vatNumber, 'VA'),
  ])
