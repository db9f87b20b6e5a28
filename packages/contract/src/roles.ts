import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { type Permission, permissions } from './permissions.ts'
import { Id, Instant, SuccessReply, Text, Version } from './primitives.ts'

export const BUILT_IN_ROLES = ['admin', 'manager', 'accountant', 'technician', 'reader', 'client'] as const
export const BuiltInRole = z.enum(BUILT_IN_ROLES)
export type BuiltInRole = z.infer<typeof BuiltInRole>
/** A role of the product by its name, or one that the company defined by its id. */
export const RoleRef = z.union([BuiltInRole, Id], 'Rôle inconnu\u00a0: choisissez un rôle de votre organisation.')
export type RoleRef = z.infer<typeof RoleRef>

const readPermissions = permissions.filter((permission) => permission.endsWith('.read'))
const withoutPermissions = (left: readonly Permission[], out: readonly Permission[]) =>
  left.filter((p) => !out.includes(p))
const RESERVED_PERMISSIONS: readonly Permission[] = [
  'companies.write',
  'users.write',
  'roles.write',
  'api-keys.read',
  'api-keys.write',
  'audit.read',
  'enedis.write',
  'webhooks.read',
  'webhooks.write',
  'gateway.read',
  'gateway.write',
  'sso.read',
  'sso.write',
  'flows.read',
  'flows.write',
  'connections.read',
  'connections.write',
  'subscription.write',
  'backups.read',
  'backups.write',
  'installation.read',
  'installation.write',
]
const METERING_PERMISSIONS: readonly Permission[] = [
  'companies.read',
  'operations.read',
  'participants.read',
  'consents.read',
  'keys.read',
  'curves.read',
  'curves.import',
  'allocations.read',
  'allocations.run',
  'energy.read',
  'insights.read',
  'insights.write',
  'analytics.read',
  'plants.read',
  'reconciliation.read',
  'enedis.read',
  'sync.read',
  'sync.write',
  'distributor-files.read',
  'distributor-files.write',
  'documents.read',
  'exports.read',
  'exports.write',
]
const ACCOUNTING_PERMISSIONS: readonly Permission[] = [
  'companies.read',
  'operations.read',
  'participants.read',
  'keys.read',
  'curves.read',
  'allocations.read',
  'energy.read',
  'analytics.read',
  'plants.read',
  'reconciliation.read',
  'documents.read',
  'parties.read',
  'tariffs.read',
  'billing.read',
  'invoices.read',
  'invoices.send',
  'payments.read',
  'mandates.read',
  'bank.read',
  'reminders.read',
  'books.read',
  'books.write',
  'declarations.read',
  'declarations.write',
  'reports.read',
  'takeovers.read',
  'exports.read',
  'exports.write',
]

/** A role is a set of permissions; a client has the portal and none. */
export const ROLES: Record<BuiltInRole, { label: string; purpose: string; permissions: readonly Permission[] }> = {
  admin: { label: 'Administrateur', purpose: 'Tout, y compris les personnes et leurs droits.', permissions },
  manager: {
    label: 'Gestionnaire',
    purpose: 'Conduit les opérations, les participants et les projets.',
    permissions: withoutPermissions(permissions, RESERVED_PERMISSIONS),
  },
  accountant: {
    label: 'Comptable',
    purpose:
      'Lit tout ce que les comptes demandent, tient les livres, prépare les déclarations et envoie les factures.',
    permissions: ACCOUNTING_PERMISSIONS,
  },
  technician: {
    label: 'Technicien',
    purpose: 'Suit les courbes, les répartitions et le distributeur.',
    permissions: METERING_PERMISSIONS,
  },
  reader: { label: 'Lecture seule', purpose: 'Consulte tout et ne change rien.', permissions: readPermissions },
  client: { label: 'Client', purpose: 'Son espace\u00a0: ses points, ses énergies, ses documents.', permissions: [] },
}

export const Role = z.object({
  id: RoleRef,
  name: z.string(),
  purpose: z.string(),
  builtIn: z.boolean(),
  permissions: z.array(z.enum(permissions)),
  /** How many people have it. */
  people: z.int(),
  createdAt: Instant.nullable(),
  version: z.int(),
})
export type Role = z.infer<typeof Role>

export const NewRole = z.strictObject({
  name: Text.max(60),
  permissions: z.array(z.enum(permissions)).min(1, 'Choisissez au moins un droit.').max(permissions.length),
})
const params = z.object({ id: Id })

export const roles = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/roles',
    access: { permission: 'roles.read' },
    summary: 'Lister les rôles',
    response: z.object({ items: z.array(Role) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/roles',
    access: { permission: 'roles.write' },
    summary: 'Définir un rôle',
    body: NewRole,
    response: Role,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/roles/:id',
    access: { permission: 'roles.write' },
    summary: 'Modifier un rôle',
    params,
    body: NewRole.extend({ version: Version }),
    response: Role,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/roles/:id',
    access: { permission: 'roles.write' },
    summary: 'Supprimer un rôle',
    params,
    response: SuccessReply,
  }),
}
