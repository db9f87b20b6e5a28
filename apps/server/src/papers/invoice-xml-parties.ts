import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { buildElement, buildOptionalElement, type Xml } from './xml.ts'

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

export const buildSellerParty = (seller: InvoiceSnapshot['seller']): Xml =>
  buildElement('ram:SellerTradeParty', [
    seller.siret ? buildElement('ram:GlobalID', seller.siret, { schemeID: SIRET }) : null,
    buildElement('ram:Name', seller.name),
    buildLegalOrganisation(seller),
    buildPostalAddress(seller),
    buildElectronicAddress(seller),
    buildSellerTax(seller),
  ])

export const buildBuyerParty = ({ seller, buyer }: InvoiceSnapshot): Xml =>
  buildElement('ram:BuyerTradeParty', [
    buyer.siret ? buildElement('ram:GlobalID', buyer.siret, { schemeID: SIRET }) : null,
    buildElement('ram:Name', [buyer.name, ...buyer.jointHolders].join(', ')),
    buildLegalOrganisation(buyer),
    buildPostalAddress(buyer),
    buildElectronicAddress(buyer),
    seller.vatMode === 'outside' ? null : buildTaxRegistration(buyer.vatNumber, 'VA'),
  ])
