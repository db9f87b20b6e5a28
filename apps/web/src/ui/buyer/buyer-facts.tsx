import type { Buyer } from '@voisol/contract/buyers'
import type { Fact } from '../detail-screen.tsx'
import { BUYER_KINDS, DELIVERIES } from './words.ts'

const spaced = (siret: string) => siret.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, '$1\u202f$2\u202f$3\u202f$4')

/** What an invoice prints of a buyer; what was not said is left out. */
export function buyerFacts(buyer: Buyer): Fact[] {
  const facts: [string, string][] = [
    ['Type d’acheteur', BUYER_KINDS[buyer.kind]],
    ['Nom imprimé', buyer.name],
    ['Cotitulaires', buyer.jointHolders.join(', ')],
    ['Adresse de facturation', buyer.printedAddress],
    ['SIRET', spaced(buyer.siret)],
    ['Code service', buyer.serviceCode],
    ['Engagement juridique', buyer.engagement],
    ['Remise des factures', DELIVERIES[buyer.delivery]],
    ['Groupe', buyer.groupName],
    ['Classe d’accise', buyer.acciseClass],
  ]
  return facts.filter(([, value]) => value).map(([label, value]) => ({ label, value }))
}
