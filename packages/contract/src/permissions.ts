/**
 * Everything that may be allowed in the back office, named `<feature>.<verb>`. What reaches across operations is
 * `whole`: somebody limited to some operations never holds it. What keeps the public site is `site`: it exists in the
 * company that keeps the site alone.
 */
export const PERMISSIONS = {
  'companies.read': { whole: true },
  'companies.write': { whole: true },
  'users.read': { whole: true },
  'users.write': { whole: true },
  'roles.read': { whole: true },
  'roles.write': { whole: true },
  'api-keys.read': { whole: true },
  'api-keys.write': { whole: true },
  'audit.read': { whole: true },
  'operations.read': {},
  'operations.create': { whole: true },
  'operations.write': {},
  'participants.read': {},
  'participants.create': { whole: true },
  'participants.write': {},
  'participants.bank': {},
  'consents.read': {},
  'consents.write': {},
  'keys.read': {},
  'keys.write': {},
  'keys.adopt': {},
  'curves.read': {},
  'curves.import': { whole: true },
  'allocations.read': {},
  'allocations.run': {},
  'energy.read': {},
  'insights.read': {},
  'insights.write': {},
  'analytics.read': {},
  'analytics.write': {},
  'plants.read': {},
  'plants.write': {},
  'reconciliation.read': {},
  'enedis.read': { whole: true },
  'enedis.write': { whole: true },
  'sync.read': { whole: true },
  'sync.write': { whole: true },
  'distributor-files.read': { whole: true },
  'distributor-files.write': { whole: true },
  'parties.read': { whole: true },
  'parties.write': { whole: true },
  'tariffs.read': {},
  'tariffs.write': {},
  'tariffs.adopt': {},
  'billing.read': {},
  'billing.close': {},
  'invoices.read': {},
  'invoices.send': {},
  'payments.read': {},
  'payments.write': {},
  'mandates.read': {},
  'mandates.write': {},
  'bank.read': { whole: true },
  'bank.write': { whole: true },
  'reminders.read': {},
  'reminders.send': {},
  'books.read': { whole: true },
  'books.write': { whole: true },
  'declarations.read': { whole: true },
  'declarations.write': { whole: true },
  'reports.read': {},
  'reports.write': { whole: true },
  'support.read': { whole: true },
  'support.write': { whole: true },
  'support.keep': { whole: true, site: true },
  'messages.read': {},
  'messages.write': {},
  'portal.read': {},
  'portal.write': { whole: true },
  'portal.view': {},
  'takeovers.read': { whole: true },
  'takeovers.write': { whole: true },
  'projects.read': { whole: true },
  'projects.write': { whole: true },
  'documents.read': {},
  'documents.write': {},
  'webhooks.read': { whole: true },
  'webhooks.write': { whole: true },
  'gateway.read': { whole: true },
  'gateway.write': { whole: true },
  'sso.read': { whole: true },
  'sso.write': { whole: true },
  'flows.read': { whole: true },
  'flows.write': { whole: true },
  'connections.read': { whole: true },
  'connections.write': { whole: true },
  'exports.read': {},
  'exports.write': {},
  'subscription.read': { whole: true },
  'subscription.write': { whole: true },
  'backups.read': { whole: true },
  'backups.write': { whole: true },
  'installation.read': { whole: true, site: true },
  'installation.write': { whole: true, site: true },
  'content.read': { whole: true, site: true },
  'content.write': { whole: true, site: true },
  'seo.read': { whole: true, site: true },
  'seo.write': { whole: true, site: true },
  'bookings.read': { whole: true, site: true },
  'bookings.write': { whole: true, site: true },
  'requests.read': { whole: true, site: true },
  'requests.write': { whole: true, site: true },
} as const satisfies Record<`${string}.${string}`, { whole?: true; site?: true }>

export type Permission = keyof typeof PERMISSIONS
export const permissions = Object.keys(PERMISSIONS) as [Permission, ...Permission[]] // keys of a literal

export const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSIONS, name)
const getPermissionTraits = (permission: Permission): { whole?: true; site?: true } => PERMISSIONS[permission]

/** What is left of a set for somebody in a company: `limited` to some operations, or where no site is kept. */
export const narrowPermissions = (
  held: readonly Permission[],
  { limited, site }: { limited: boolean; site: boolean },
) =>
  held.filter((permission) => {
    const row = getPermissionTraits(permission)
    return !(limited && row.whole) && (site || !row.site)
  })

/** Who asks: a person in the space they chose, an API key or a job. A portal holds no permission. */
export type PermissionHolder = { space: Space; permissions: readonly Permission[] }
export type Space = 'office' | 'portal'

/** The one question: on the server before a call, in the browser before a button. */
export const hasPermission = ({ space, permissions: held }: PermissionHolder, permission: Permission) =>
  space === 'office' && held.includes(permission)
