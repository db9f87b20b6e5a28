import type { Operation, OperationStatus } from '@voisol/contract/operations'
import type { AllocationMethod } from '@voisol/contract/primitives'

export const OPERATION_STATUS_LABELS: Record<OperationStatus, string> = {
  draft: 'Brouillon',
  pending: 'En préparation',
  active: 'En service',
  suspended: 'Suspendue',
  closed: 'Clôturée',
}
export const OPERATION_ZONE_LABELS: Record<Operation['zone'], string> = {
  metropole: 'Métropole continentale',
  zni: 'Zone non interconnectée',
}
export const KEY_METHOD_LABELS: Record<AllocationMethod, string> = {
  static: 'Statique',
  default: 'Dynamique par défaut',
  simple: 'Dynamique simple',
  complete: 'Dynamique complète',
  priority: 'Par priorité',
  redistributed: 'Statique avec redistribution',
  equal: 'Parts égales',
}

/** What a meter measures in one direction; a battery charges and releases. */
export const formatPointDirection = ({ direction, storage }: { direction: string; storage?: boolean | undefined }) => {
  const injects = direction === 'production'
  if (storage) return injects ? 'Décharge (batterie)' : 'Charge (batterie)'
  return injects ? 'Production' : 'Consommation'
}
