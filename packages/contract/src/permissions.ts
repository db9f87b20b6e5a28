/**
 * Everything that may be allowed in the back office, named `<feature>.<verb>`. What reaches across operations is
 * `whole`: somebody limited to some operations never holds it. What keeps the public site is `site`: it exists in the
 * company that keeps the site alone.
 */
export const PERMISSIONS = {
  'companies.read': { label: 'Consulter l’organisation', whole: true },
  'companies.write': { label: 'Modifier l’organisation et son apparence', whole: true },
  'users.read': { label: 'Consulter les utilisateurs', whole: true },
  'users.write': { label: 'Inviter et modifier les utilisateurs', whole: true },
  'roles.read': { label: 'Consulter les rôles', whole: true },
  'roles.write': { label: 'Définir les rôles', whole: true },
  'api-keys.read': { label: 'Consulter les clés d’API', whole: true },
  'api-keys.write': { label: 'Créer et révoquer les clés d’API', whole: true },
  'audit.read': { label: 'Consulter le journal d’audit', whole: true },
  'operations.read': { label: 'Consulter les opérations' },
  'operations.create': { label: 'Créer une opération', whole: true },
  'operations.write': { label: 'Modifier, fermer et supprimer les opérations' },
  'participants.read': { label: 'Consulter les participants et leurs points' },
  'participants.create': { label: 'Ajouter et importer des participants', whole: true },
  'participants.write': { label: 'Modifier les participants, leurs points et leurs participations' },
  'participants.bank': { label: 'Modifier les coordonnées bancaires' },
  'consents.read': { label: 'Consulter les consentements' },
  'consents.write': { label: 'Enregistrer les consentements' },
  'keys.read': { label: 'Consulter les clés de répartition' },
  'keys.write': { label: 'Préparer les clés de répartition' },
  'keys.adopt': { label: 'Adopter une clé de répartition' },
  'curves.read': { label: 'Consulter les courbes' },
  'curves.import': { label: 'Importer des courbes', whole: true },
  'allocations.read': { label: 'Consulter les répartitions' },
  'allocations.run': { label: 'Lancer une répartition' },
  'energy.read': { label: 'Consulter les tableaux de bord et les énergies' },
  'reconciliation.read': { label: 'Consulter le rapprochement avec le distributeur' },
  'enedis.read': { label: 'Consulter les accès au distributeur', whole: true },
  'enedis.write': { label: 'Modifier les accès au distributeur', whole: true },
  'sync.read': { label: 'Consulter les synchronisations', whole: true },
  'sync.write': { label: 'Lancer et régler les synchronisations', whole: true },
  'distributor-files.read': { label: 'Consulter les fichiers du distributeur', whole: true },
  'distributor-files.write': { label: 'Déposer et retirer les fichiers du distributeur', whole: true },
  'parties.read': { label: 'Consulter vendeurs, acheteurs, mandats et réglages de facturation', whole: true },
  'parties.write': { label: 'Modifier vendeurs, acheteurs, mandats et réglages de facturation', whole: true },
  'tariffs.read': { label: 'Consulter les tarifs' },
  'tariffs.write': { label: 'Préparer les tarifs, frais et remises' },
  'tariffs.adopt': { label: 'Adopter un tarif' },
  'billing.read': { label: 'Consulter les clôtures et les régularisations' },
  'billing.close': { label: 'Clôturer un mois, émettre et régulariser' },
  'invoices.read': { label: 'Consulter les factures' },
  'invoices.send': { label: 'Envoyer les factures' },
  'projects.read': { label: 'Consulter les projets', whole: true },
  'projects.write': { label: 'Modifier et étudier les projets', whole: true },
  'documents.read': { label: 'Consulter les documents' },
  'documents.write': { label: 'Ajouter et retirer les documents' },
  'webhooks.read': { label: 'Consulter les webhooks', whole: true },
  'webhooks.write': { label: 'Modifier les webhooks', whole: true },
  'content.read': { label: 'Consulter les contenus du site', whole: true, site: true },
  'content.write': { label: 'Publier les contenus du site', whole: true, site: true },
  'seo.read': { label: 'Consulter le référencement du site', whole: true, site: true },
  'seo.write': { label: 'Modifier le référencement du site', whole: true, site: true },
  'bookings.read': { label: 'Consulter les réservations', whole: true, site: true },
  'bookings.write': { label: 'Traiter les réservations', whole: true, site: true },
  'requests.read': { label: 'Consulter les demandes des visiteurs', whole: true, site: true },
  'requests.write': { label: 'Répondre aux demandes des visiteurs', whole: true, site: true },
} as const satisfies Record<`${string}.${string}`, { label: string; whole?: true; site?: true }>

export type Permission = keyof typeof PERMISSIONS
export const permissions = Object.keys(PERMISSIONS) as [Permission, ...Permission[]] // keys of a literal

export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name)
const rowOf = (permission: Permission): { label: string; whole?: true; site?: true } => PERMISSIONS[permission]

/** What is left of a set for somebody in a company: `limited` to some operations, or where no site is kept. */
export const narrowed = (held: readonly Permission[], { limited, site }: { limited: boolean; site: boolean }) =>
  held.filter((permission) => {
    const row = rowOf(permission)
    return !(limited && row.whole) && (site || !row.site)
  })

/** Who asks: a person in the space they chose, an API key or a job. A portal holds no permission. */
export type Holder = { space: Space; permissions: readonly Permission[] }
export type Space = 'office' | 'portal'

/** The one question: on the server before a call, in the browser before a button. */
export const can = ({ space, permissions: held }: Holder, permission: Permission) =>
  space === 'office' && held.includes(permission)
