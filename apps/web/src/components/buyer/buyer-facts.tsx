import type { Buyer, BuyerDelivery } from '@voisol/contract/buyers'
import type { BuyerKind } from '@voisol/contract/money'
import type { Fact } from '../card.tsx'

const formatSiret = (siret: string) => siret.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, '$1\u202f$2\u202f$3\u202f$4')

/** What an invoice prints of a buyer; what was not said is left out. */
export function buildBuyerFacts(buyer: Buyer): Fact[] {
  const facts: [string, string][] = [
    ['Type d’acheteur', BUYER_KIND_LABELS[buyer.kind]],
    ['Nom imprimé', buyer.name],
    ['Cotitulaires', buyer.jointHolders.join(', ')],
    ['Adresse de facturation', buyer.printedAddress],
    ['SIRET', formatSiret(buyer.siret)],
    ['Code service', buyer.serviceCode],
    ['Engagement juridique', buyer.engagement],
    ['Remise des factures', DELIVERY_LABELS[buyer.delivery]],
    ['Groupe', buyer.groupName],
    ['Classe d’accise', buyer.acciseClass],
  ]
  return facts.filter(([, value]) => value).map(([label, value]) => ({ label, value }))
}

export const BUYER_KIND_LABELS: Record<BuyerKind, string> = {
  person: 'Particulier',
  company: 'Entreprise ou association',
  public: 'Personne publique',
}
export const DELIVERY_LABELS: Record<BuyerDelivery, string> = {
  mail: 'Par e-mail',
  portal: 'Dans l’espace client',
  chorus: 'Par Chorus Pro',
}
export const toChoices = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
