import { BuiltInRole, ROLES, type RoleRef } from '@voisol/contract/roles'
import type { Invite, User } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperations } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { findAccountByEmail, requireVerifiedAddress } from '../auth/index.ts'
import { buildBrandUrl, loadMailBrand, renderMail, sendMail } from '../mail/index.ts'
import { loadRole, requireGrantablePermissions } from '../roles/index.ts'
import { loadUser, userScope } from './list-users.ts'

type Member = Pick<User, 'id' | 'status' | 'role'>

/** Records an event for every change of access, whether by a user, an API key, SCIM or a command. */
export const recordMemberChange = (tx: Db, companyId: number, { id, status, role }: Member) =>
  recordEvent(tx, { companyId, name: 'member.changed', object: id, data: { userId: id, status, role } })

type AssignRoleInput = { role: RoleRef; operationIds?: string[] | null | undefined }
type RoleAssignment = { role: string; roleId: string | null; operationIds: string[] | null }

/** Requires a role of the company, and returns its permissions and its stored columns. */
export async function requireCompanyRole(tx: Db, actor: Actor, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null, held: ROLES[builtIn.data].permissions }
  const own = await loadRole(tx, actor, role).catch(() => undefined)
  if (!own) throw fieldError('role', 'Ce rôle n’existe pas dans votre organisation.')
  return { role: 'custom', roleId: own.id, held: own.permissions }
}

/** The stored columns of a role chosen earlier; undefined when the company no longer has it. */
export async function findRoleColumns(tx: Db, { companyId }: { companyId: number }, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null }
  const [own] = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.companyId, companyId), eq(roles.id, role)))
  return own && { role: 'custom', roleId: own.id }
}

/** Validates the role and the limit, and checks that the user may grant them. */
export async function prepareRoleAssignment(
  tx: Db,
  actor: Actor,
  wanted: AssignRoleInput,
  before?: AssignRoleInput,
): Promise<RoleAssignment> {
  const requestedIds = wanted.operationIds === undefined ? (before?.operationIds ?? null) : wanted.operationIds
  const { held: granted, ...place } = await requireCompanyRole(tx, actor, wanted.role)
  // The portal shows only the client's own data: there is nothing to limit.
  const operationIds = place.role === 'client' ? null : requestedIds
  if (operationIds && operationIds !== before?.operationIds) await requireVisibleOperations(tx, actor, operationIds)
  const same = before?.role === wanted.role && String(before.operationIds) === String(operationIds)
  if (!same) requireGrantablePermissions(actor, granted, operationIds !== null)
  return { ...place, operationIds: operationIds && [...new Set(operationIds)] }
}

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type InviteUserInput = z.output<typeof Invite>

export const INVITATION_VALID_DAYS = 7
export const ALREADY_MEMBER_MESSAGES = {
  active: 'Cette personne fait déjà partie de votre organisation.',
  invited: 'Cette personne est déjà invitée : renvoyez-lui son invitation.',
  disabled: 'Cette personne est désactivée dans votre organisation : réactivez-la.',
} as const satisfies Record<User['status'], string>

/** Two companies may invite the same new address at once: one account is created, and both find it. */
async function findOrCreateAccount(tx: Db, { email, firstName, lastName }: InviteUserInput) {
  const known = await findAccountByEmail(tx, email)
  if (known) return known
  await tx.insert(users).values({ email, firstName, lastName }).onConflictDoNothing()
  const account = await findAccountByEmail(tx, email)
  if (!account) throw new AppError('conflict')
  return account
}

/** Invites a person; the answer is the same with and without an existing account. */
export async function inviteUser(tx: Db, post: MailDeps, actor: Actor, input: InviteUserInput): Promise<User> {
  const assignment = await prepareRoleAssignment(tx, actor, input)
  const account = await findOrCreateAccount(tx, input)
  const [added] = await tx
    .insert(memberships)
    .values({
      companyId: actor.companyId,
      userId: account.id,
      ...assignment,
      invitedFirstName: input.firstName,
      invitedLastName: input.lastName,
    })
    .onConflictDoNothing()
    .returning()
  const user = await loadUser(tx, actor, account.id)
  if (!added) throw new AppError('conflict', { message: ALREADY_MEMBER_MESSAGES[user.status] })
  await sendInvitation(tx, post, actor, user)
  // A client has no back office access: their event is recorded when they accept.
  if (user.role !== 'client') await recordMemberChange(tx, actor.companyId, user)
  return user
}

/** Sends a new link and invalidates the previous one. */
export async function resendInvitation(tx: Db, post: MailDeps, actor: Actor, id: string): Promise<User> {
  const user = await loadUser(tx, actor, id)
  if (user.status !== 'invited')
    throw new AppError('conflict', { message: 'Il n’y a pas d’invitation en attente pour cette personne.' })
  await sendInvitation(tx, post, actor, user)
  return user
}

/** More than the largest import file. Limits per address prevent a company from flooding a person. */
const MAX_INVITATIONS_PER_COMPANY = 1500
const MAX_INVITATIONS_PER_ADDRESS = 6
const DAY_SECONDS = 86_400

/** Counted in the same transaction as the sending: an invitation that fails does not count. */
async function throttleInvitation(tx: Db, { companyId }: Actor, email: string) {
  await throttle(tx, `invitations of ${companyId}`, MAX_INVITATIONS_PER_COMPANY, DAY_SECONDS)
  await throttle(tx, `invitations to ${email.toLowerCase()}`, MAX_INVITATIONS_PER_ADDRESS, DAY_SECONDS)
}

/** The mail, which contains the only copy of its link. */
export async function buildInvitationMail(
  db: Db,
  config: Deps['config'],
  actor: Actor,
  { role, roleName, token }: Pick<User, 'role' | 'roleName'> & { token: string },
) {
  const [company] = await db.select().from(companies).where(eq(companies.id, actor.companyId))
  const name = company?.name ?? ''
  const brand = await loadMailBrand(db, config, actor.companyId)
  const layout = renderMail({
    title: `Rejoindre ${name}`,
    paragraphs: [
      `${actor.firstName} ${actor.lastName} vous invite à rejoindre l’espace « ${name}\u00a0» sur Voisol${role === 'client' ? '' : `, avec le rôle «\u00a0${roleName}\u00a0»`}.`,
      `Ce lien est valable ${INVITATION_VALID_DAYS} jours et ne sert qu’une fois. Si vous n’attendiez pas cette invitation, ignorez ce message.`,
    ],
    action: { label: 'Accepter l’invitation', url: buildBrandUrl(config, brand, `/login?invitation=${token}`) },
    footer: `Voisol — une question ? Écrivez à ${config.SUPPORT_EMAIL}.`,
    brand,
  })
  return { subject: `Invitation à rejoindre ${name}`, ...layout }
}

async function sendInvitation(
  tx: Db,
  { secrets, config }: MailDeps,
  actor: Actor,
  { id, email, role, roleName }: User,
) {
  await requireVerifiedAddress(tx, actor)
  await throttleInvitation(tx, actor, email)
  const token = generateToken()
  const invitationExpiresAt = new Date(Date.now() + INVITATION_VALID_DAYS * 86_400_000)
  await tx
    .update(memberships)
    .set({ invitationHash: sha256(token), invitationExpiresAt })
    .where(and(userScope(actor), eq(memberships.userId, id)))
  const mail = { to: email, ...(await buildInvitationMail(tx, config, actor, { role, roleName, token })) }
  await sendMail(tx, secrets, mail, { companyId: actor.companyId, sender: 'installation' })
}
