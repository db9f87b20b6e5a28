import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import type { SsoTrial } from '@voisol/contract/sso'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { roles, ssoAttempts } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { originOf } from '../../../http/origin.ts'
import type { Context } from '../../../http/route.ts'
import type { Secrets } from '../../../secrets.ts'
import { begin, outcomeOf } from './attempts.ts'
import { SsoRefusal } from './faults.ts'
import { requireReach } from './reach.ts'
import { type Connection, findConnection, lockConnection } from './scope.ts'
import { roleFor } from './settle.ts'

const isSet = ({ kind, issuer, certificates }: Connection) =>
  kind === 'saml' ? certificates.length > 0 : issuer !== ''

/** The same way as a sign-in's; what comes back is shown, and opens nothing. */
export async function startTrial(ctx: Context, id: string) {
  const { db, actor, request, config } = ctx
  const row = await lockConnection(db, actor, id)
  await requireReach(db, actor, row)
  if (!isSet(row)) throw new AppError('conflict', { message: 'Réglez d’abord le fournisseur d’identité.' })
  try {
    return { row, ...(await begin(ctx, { row, origin: originOf(request, config.PUBLIC_URL), testerId: actor.userId })) }
  } catch (error) {
    if (error instanceof SsoRefusal) throw fieldError('connection', error.message, 'conflict')
    throw error
  }
}

async function roleName(db: Db, connection: Connection, groups: string[]): Promise<string> {
  const role = roleFor(connection, groups)
  if (!role) return ''
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].label
  const [own] = await db
    .select({ name: roles.name })
    .from(roles)
    .where(and(eq(roles.companyId, connection.companyId), eq(roles.id, role)))
  return own?.name ?? ''
}

const NOTHING = { reason: '', email: '', firstName: '', lastName: '', groups: [], roleName: '', claims: [] }

export async function readTrial(db: Db, secrets: Secrets, actor: Actor, id: string): Promise<SsoTrial> {
  const [attempt] = await db
    .select()
    .from(ssoAttempts)
    .where(and(eq(ssoAttempts.companyId, actor.companyId), eq(ssoAttempts.id, id)))
  const connection = attempt?.testerId ? await findConnection(db, actor.companyId, attempt.connectionId) : undefined
  if (!attempt || !connection) throw new AppError('not-found')
  const { identity, refusal } = outcomeOf(secrets, attempt) ?? {}
  if (!identity) return { ...NOTHING, state: refusal ? 'refused' : 'waiting', reason: refusal ?? '' }
  const { email, firstName, lastName, groups, claims } = identity
  const shown = { email, firstName, lastName, groups, claims, roleName: await roleName(db, connection, groups) }
  return { ...shown, state: refusal ? 'refused' : 'accepted', reason: refusal ?? '' }
}
