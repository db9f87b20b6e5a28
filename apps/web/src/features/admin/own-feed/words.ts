import type { OwnScope } from '@voisol/contract/own-feed'

export const OWN_SCOPE_LABELS: Record<OwnScope, string> = {
  'energy.read': 'Mes énergies',
  'invoices.read': 'Mes factures',
}
