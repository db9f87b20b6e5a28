import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import type { SsoTestResult } from '@voisol/contract/sso'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { roles, ssoAttempts } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getRequestOrigin } from '../../../http/origin.ts'
import type { RouteContext } from '../../../http/route.ts'
import type { Secrets } from '../../../secrets.ts'
import { beginSsoSignIn, openSsoOutcome } from './attempts.ts'
import { SsoRefusal } from './faults.ts'
import { requireConnectionPermissions } from './reach.ts'
import { findSsoConnection, lockSsoConnection, type SsoConnectionRow } from './scope.ts'
import { getRoleForGroups } from './settle.ts'

const isConfigured = ({ kind, issuer, certificates }: SsoConnectionRow) =>
  kind === 'saml' ? certificates.length > 0 : issuer !== ''

/** The same way as a sign-in's; what comes back is shown, and opens nothing. */
export async function startTestSignIn(ctx: RouteContext, id: string) {
  const { db, actor, request, config } = ctx
  const row = await lockSsoConnection(db, actor, id)
  await requireConnectionPermissions(db, actor, row)
  if (!isConfigured(row)) throw new AppError('conflict', { message: 'Réglez d’abord le fournisseur d’identité.' })
  try {
    return {
      row,
      ...(await beginSsoSignIn(ctx, {
        row,
        origin: getRequestOrigin(request, config.PUBLIC_URL),
        testerId: actor.userId,
      })),
    }
  } catch (error) {
    if (error instanceof SsoRefusal) throw fieldError('connection', error.message, 'conflict')
    throw error
  }
}

async function loadRoleName(db: Db, connection: SsoConnectionRow, groups: string[]): Promise<string> {
  const role = getRoleForGroups(connection, groups)
  if (!role) return ''
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].label
  const [own] = await db
    .select({ name: roles.name })
    .from(roles)
    .where(and(eq(roles.companyId, connection.companyId), eq(roles.id, role)))
  return own?.name ?? ''
}

const EMPTY_TEST_RESULT = { reason: '', email: '', firstName: '', lastName: '', groups: [], roleName: '', claims: [] }

export async function loadTestSignIn(db: Db, secrets: Secrets, actor: Actor, id: string): Promise<SsoTestResult> {
  const [attempt] = await db
    .select()
    .from(ssoAttempts)
    .where(and(eq(ssoAttempts.companyId, actor.companyId), eq(ssoAttempts.id, id)))
  const connection = attempt?.testerId ? await findSsoConnection(db, actor.companyId, attempt.connectionId) : undefined
  if (!attempt || !connection) throw new AppError('not-found')
  const { identity, refusal } = openSsoOutcome(secrets, attempt) ?? {}
  if (!identity) return { ...EMPTY_TEST_RESULT, state: refusal ? 'refused' : 'waiting', reason: refusal ?? '' }
  const { email, firstName, lastName, groups, claims } = identity
  const shown = { email, firstName, lastName, groups, claims, roleName: await loadRoleName(db, connection, groups) }
  return { ...shown, state: refusal ? 'refused' : 'accepted', reason: refusal ?? '' }
}
