import { z } from 'zod'
import { Session } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { Done, Email, Id, Instant, OptionalText, Role, TableFormat, Text, Version } from './primitives.ts'

export const UserStatus = z.enum(['active', 'invited', 'disabled'])

export const User = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  role: Role,
  status: UserStatus,
  secondFactor: z.boolean(),
  lastSignInAt: Instant.nullable(),
  createdAt: Instant,
  version: z.int(),
})
export type User = z.infer<typeof User>

export const UserQuery = ListQuery.extend({ role: Role.optional(), status: UserStatus.optional() })
export const UserUpdate = z.strictObject({
  firstName: Text,
  lastName: Text,
  phone: OptionalText,
  role: Role,
  version: Version,
})
export const Invite = z.strictObject({ email: Email, firstName: Text, lastName: Text, role: Role })

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
  list: endpoint({
    method: 'GET',
    path: '/api/users',
    access: 'admin',
    summary: 'Lister les utilisateurs',
    query: UserQuery,
    response: page(User),
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/users/export',
    access: 'admin',
    summary: 'Exporter les utilisateurs',
    query: UserQuery.extend({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/users/:id',
    access: 'admin',
    summary: 'Lire un utilisateur',
    params,
    response: User,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/users/:id',
    access: 'admin',
    summary: 'Modifier un utilisateur',
    params,
    body: UserUpdate,
    response: User,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'admin',
    summary: 'Inviter un utilisateur',
    body: Invite,
    response: User,
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/users/:id/invitation',
    access: 'admin',
    summary: 'Renvoyer l’invitation',
    params,
    response: Done,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/users/import',
    access: 'admin',
    summary: 'Importer des utilisateurs',
    body: z.strictObject({ csv: z.string().min(1).max(500_000), dryRun: z.boolean() }),
    response: ImportReport,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/users/:id/disable',
    access: 'admin',
    summary: 'Désactiver un utilisateur',
    params,
    response: User,
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/users/:id/enable',
    access: 'admin',
    summary: 'Réactiver un utilisateur',
    params,
    response: User,
  }),
  resetSecondFactor: endpoint({
    method: 'POST',
    path: '/api/users/:id/second-factor/reset',
    access: 'admin',
    summary: 'Retirer la double authentification',
    params,
    response: User,
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/users/:id/sessions',
    access: 'admin',
    summary: 'Sessions d’un utilisateur',
    params,
    response: z.object({ items: z.array(Session) }),
  }),
  revokeSessions: endpoint({
    method: 'POST',
    path: '/api/users/:id/sessions/revoke',
    access: 'admin',
    summary: 'Fermer les sessions d’un utilisateur',
    params,
    response: z.object({ success: z.literal(true), revoked: z.int() }),
  }),
}
