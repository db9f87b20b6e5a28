import type { BuyerDelivery } from '@voisol/contract/buyers'
import type { BuyerKind } from '@voisol/contract/money'

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
