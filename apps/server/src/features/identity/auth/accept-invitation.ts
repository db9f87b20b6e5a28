import { auth } from '@voisol/contract/auth'
import type { AcceptInvitation, Invitee } from '@voisol/contract/invitations'
import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { findSsoOnlyCompany, isKnownToProvider } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, users } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { sha256 } from '../../../secrets.ts'
import { hasAcceptedMembership, lockUserAccount, type UserAccount } from './accounts.ts'
import { checkCredentials, recordPasswordLength } from './auth.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { confirmUserAddress } from './email-verification.ts'
import { buildPasswordColumns, isLongPassword, MIN_ADMIN_PASSWORD_LENGTH, requireStrongPassword } from './passwords.ts'
import { hasSecondFactor } from './second-factor.ts'
import { auditRefusals, type SignInAttempt, toSignInAttempt } from './sign-in-attempts.ts'

type Membership = typeof memberships.$inferSelect
type Acceptance = z.output<typeof AcceptInvitation>

const UNKNOWN_INVITATION = 'Cette invitation n’existe pas, ou une plus récente l’a remplacée.'

function requireOpenInvitation(membership: Membership | undefined): asserts membership is Membership {
  if (!membership) throw new AppError('not-found', { message: UNKNOWN_INVITATION })
  if (membership.acceptedAt) throw new AppError('already-used')
  const { invitationExpiresAt, disabledAt } = membership
  if (disabledAt || !invitationExpiresAt || invitationExpiresAt < new Date()) throw new AppError('link-expired')
}

async function loadInvitation(db: Db, token: string): Promise<z.infer<typeof Invitee>> {
  const [row] = await db
    .select({ membership: memberships, user: users, companyName: companies.name, roleName: roles.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(eq(memberships.invitationHash, sha256(token)))
  requireOpenInvitation(row?.membership)
  if (!row) throw new AppError('not-found')
  const { membership, user, companyName, roleName } = row
  return {
    email: user.email,
    companyName,
    role: membership.role === 'client' ? 'client' : 'admin',
    roleName: roleName ?? ROLES[BuiltInRole.parse(membership.role)].label,
    firstName: membership.invitedFirstName,
    lastName: membership.invitedLastName,
    hasAccount: user.passwordHash !== null,
  }
}

/** Locks the row until the end of the transaction: of concurrent calls, one accepts and the others find it used. */
async function acceptInvitation(tx: Db, token: string, input: Acceptance, attempt: SignInAttempt) {
  const [membership] = await tx
    .select()
    .from(memberships)
    .where(eq(memberships.invitationHash, sha256(token)))
    .for('update')
  requireOpenInvitation(membership)
  const user = await lockUserAccount(tx, membership.userId)
  if ((await findSsoOnlyCompany(tx, user)) === membership.companyId) throw new AppError('sso-required')
  const { companyId, userId } = membership
  const { account, openedWith } = user.passwordHash
    ? { account: user, openedWith: await authenticateExistingAccount(tx, user, membership, input, attempt) }
    : await setUpInvitedAccount(tx, user, membership, input)
  await confirmUserAddress(tx, userId, { password: true })
  await tx
    .update(memberships)
    .set({ acceptedAt: new Date(), version: membership.version + 1 })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
  return { user: account, companyId, openedWith }
}

/** An existing account keeps its names and password; the link alone does not open it. */
async function authenticateExistingAccount(
  tx: Db,
  user: UserAccount,
  { role }: Membership,
  input: Acceptance,
  attempt: SignInAttempt,
) {
  const { password, code, passkey } = input
  const { openedWith } = await auditRefusals(attempt, user.email, () =>
    checkCredentials(tx, { email: user.email, password, code, passkey }, attempt),
  )
  await recordPasswordLength(tx, user, password)
  if (role !== 'client' && !isLongPassword(password) && !(await hasSecondFactor(tx, user.id)))
    throw fieldError(
      'password',
      `Un administrateur a besoin d’un mot de passe d’au moins ${MIN_ADMIN_PASSWORD_LENGTH} caractères ou de la double authentification : changez votre mot de passe, puis rouvrez ce lien.`,
      'weak-password',
    )
  return openedWith
}

const CHOOSE_PASSWORD_MESSAGE =
  'Cette adresse a déjà un compte, sans mot de passe. Choisissez-en un d’abord par «\u00a0Mot de passe oublié\u00a0», sur la page de connexion, puis rouvrez ce lien.'

/**
 * An invitation does not set the password of an account in use, because the inviting company may have read its link.
 * The person must request a password reset by mail.
 */
async function requireNeverUsedAccount(tx: Db, { id }: UserAccount) {
  if ((await isKnownToProvider(tx, id)) || (await hasAcceptedMembership(tx, id)))
    throw new AppError('conflict', { message: CHOOSE_PASSWORD_MESSAGE })
}

async function setUpInvitedAccount(tx: Db, user: UserAccount, { role }: Membership, input: Acceptance) {
  await requireNeverUsedAccount(tx, user)
  const { firstName, lastName, password } = input
  requireStrongPassword(password, { inOffice: role !== 'client', secondFactor: false, email: user.email })
  const passwordColumns = await buildPasswordColumns(password)
  await tx
    .update(users)
    .set({ firstName, lastName, ...passwordColumns, version: user.version + 1 })
    .where(eq(users.id, user.id))
  return { account: { ...user, ...passwordColumns }, openedWith: 'password' as const }
}

export function invitationRoutes(app: FastifyInstance) {
  addRoute(app, auth.invitation, ({ params }, { db }) => loadInvitation(db, params.token))

  addRoute(app, auth.acceptInvitation, async ({ params, body }, ctx) => {
    const { db } = ctx
    const attempt = toSignInAttempt(ctx, auth.acceptInvitation)
    const { user, companyId, openedWith } = await acceptInvitation(db, params.token, body, attempt)
    // The URL contains the token, so that the audit entry names the person instead.
    const signedIn = await completeSignIn(ctx, user, companyId, { openedWith })
    await recordEvent(db, { companyId, name: 'invitation.accepted', object: user.id, data: { userId: user.id } })
    return signedIn
  })
}
