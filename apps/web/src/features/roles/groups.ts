import { type Permission, permissions } from '@voisol/contract/permissions'

/** The features as people think of them, and the order in which rights are read. */
const FEATURE_GROUPS = [
  { label: 'Opérations', features: ['operations', 'participants', 'consents', 'projects', 'documents'] },
  {
    label: 'Énergie',
    features: [
      'energy',
      'insights',
      'curves',
      'keys',
      'allocations',
      'reconciliation',
      'reports',
      'analytics',
      'plants',
    ],
  },
  { label: 'Distributeur', features: ['enedis', 'sync', 'distributor-files'] },
  { label: 'Facturation', features: ['tariffs', 'billing', 'invoices', 'parties'] },
  {
    label: 'Encaissements et comptes',
    features: ['payments', 'mandates', 'bank', 'reminders', 'books', 'declarations', 'takeovers'],
  },
  { label: 'Relation', features: ['support', 'messages', 'portal'] },
  {
    label: 'Organisation',
    features: [
      'companies',
      'users',
      'roles',
      'sso',
      'audit',
      'api-keys',
      'gateway',
      'webhooks',
      'flows',
      'connections',
      'exports',
      'subscription',
      'backups',
    ],
  },
  { label: 'Site public', features: ['content', 'seo', 'bookings', 'requests', 'installation'] },
]

export type RightGroup = { label: string; rights: Permission[] }

/** Those of a set, by group; what belongs to none comes last, so that a new feature is never out of sight. */
export function groupRights(granted: readonly Permission[]): RightGroup[] {
  const groupedFeatures = FEATURE_GROUPS.flatMap(({ features }) => features)
  const otherFeatures = permissions
    .map((right) => right.split('.')[0] ?? '')
    .filter((feature) => !groupedFeatures.includes(feature))
  const selectRights = (features: readonly string[]) =>
    features.flatMap((feature) =>
      permissions.filter((right) => right.startsWith(`${feature}.`) && granted.includes(right)),
    )
  return [...FEATURE_GROUPS, { label: 'Autres droits', features: [...new Set(otherFeatures)] }]
    .map(({ label, features }) => ({ label, rights: selectRights(features) }))
    .filter(({ rights }) => rights.length > 0)
}
