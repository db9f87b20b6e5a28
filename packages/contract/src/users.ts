import { z } from 'zod'
import { Session } from './auth.ts'
import { defineEndpoint } from './endpoint.ts'
import {
  buildPageSchema,
  Email,
  Id,
  Instant,
  ListQuery,
  OptionalText,
  SuccessReply,
  TableFormat,
  Text,
  Version,
} from './primitives.ts'
import { RoleRef } from './roles.ts'

const UserStatus = z.enum(['active', 'invited', 'disabled'])

export const User = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  role: RoleRef,
  roleName: z.string(),
  /** The operations they are limited to; null where there is no limit. */
  operationIds: z.array(Id).nullable(),
  status: UserStatus,
  secondFactor: z.boolean(),
  lastSignInAt: Instant.nullable(),
  createdAt: Instant,
  version: z.int(),
})
export type User = z.infer<typeof User>

/** Null lifts the limit; absent, it stays as it is. */
const Limit = z.array(Id).min(1, 'Choisissez au moins une opération.').max(500).nullable()

export const UserQuery = ListQuery.extend({ role: RoleRef.optional(), status: UserStatus.optional() })
export const UserUpdate = z.strictObject({
  firstName: Text,
  lastName: Text,
  phone: OptionalText,
  role: RoleRef,
  operationIds: Limit.optional(),
  version: Version,
})
export const Invite = z.strictObject({
  email: Email,
  firstName: Text,
  lastName: Text,
  role: RoleRef,
  operationIds: Limit.optional(),
})

/** One line of an imported file, and what would become of it. */
export const ImportLine = z.object({
  line: z.int(),
  email: z.string(),
  outcome: z.enum(['invited', 'existing', 'refused']),
  message: z.string(),
})
export const ImportReport = z.object({
  invited: z.int(),
  existing: z.int(),
  refused: z.int(),
  lines: z.array(ImportLine),
})

const params = z.object({ id: Id })

export const users = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/users',
    access: { permission: 'users.read' },
    summary: 'Lister les utilisateurs',
    query: UserQuery,
    response: buildPageSchema(User),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/users/export',
    access: { permission: 'users.read' },
    summary: 'Exporter les utilisateurs',
    query: UserQuery.extend({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/users/:id',
    access: { permission: 'users.read' },
    summary: 'Lire un utilisateur',
    params,
    response: User,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    access: { permission: 'users.write' },
    summary: 'Modifier un utilisateur',
    params,
    body: UserUpdate,
    response: User,
  }),
  invite: defineEndpoint({
    method: 'POST',
    path: '/api/users',
    access: { permission: 'users.write' },
    summary: 'Inviter un utilisateur',
    body: Invite,
    response: User,
  }),
  resendInvitation: defineEndpoint({
    method: 'POST',
    path: '/api/users/:id/invitation',
    access: { permission: 'users.write' },
    summary: 'Renvoyer l’invitation',
    params,
    response: SuccessReply,
  }),
  import: defineEndpoint({
    method: 'POST',
    path: '/api/users/import',
    access: { permission: 'users.write' },
    summary: 'Importer des utilisateurs',
    body: z.strictObject({ csv: z.string().min(1).max(500_000), dryRun: z.boolean() }),
    response: ImportReport,
  }),
  disable: defineEndpoint({
    method: 'POST',
    path: '/api/users/:id/disable',
    access: { permission: 'users.write' },
    summary: 'Désactiver un utilisateur',
    params,
    response: User,
  }),
  enable: defineEndpoint({
    method: 'POST',
    path: '/api/users/:id/enable',
    access: { permission: 'users.write' },
    summary: 'Réactiver un utilisateur',
    params,
    response: User,
  }),
  resetSecondFactor: defineEndpoint({
    method: 'POST',
    path: '/api/users/:id/second-factor/reset',
    access: { permission: 'users.write' },
    summary: 'Retirer la double authentification',
    params,
    response: User,
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/api/users/:id/sessions',
    access: { permission: 'users.read' },
    summary: 'Sessions d’un utilisateur',
    params,
    response: z.object({ items: z.array(Session) }),
  }),
  revokeSessions: defineEndpoint({
    method: 'POST',
    path: '/api/users/:id/sessions/revoke',
    access: { permission: 'users.write' },
    summary: 'Fermer les sessions d’un utilisateur',
    params,
    response: z.object({ success: z.literal(true), revoked: z.int() }),
  }),
}
