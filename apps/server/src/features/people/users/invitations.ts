import type { Invite, User } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { findAccountByEmail, requireVerifiedAddress } from '../auth/auth.ts'
import { buildBrandUrl, loadMailBrand, renderMail, sendMail } from '../mail/mail.ts'
import { prepareRoleAssignment } from './place.ts'
import { userScope } from './scope.ts'
import { recordMemberChange } from './told.ts'
import { loadUser } from './view.ts'

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
