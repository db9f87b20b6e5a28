import type { Invite, User } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { throttle } from '../../../http/throttle.ts'
import { newToken, sha256 } from '../../../secrets.ts'
import { findByEmail, requireVerified } from '../auth/auth.ts'
import { brandUrl, mailBrandOf, mailLayout, sendMail } from '../mail/mail.ts'
import { placeOf } from './place.ts'
import { userScope } from './scope.ts'
import { tellMember } from './told.ts'
import { getUser } from './view.ts'

type Post = Pick<Deps, 'secrets' | 'config'>
type Invitation = z.output<typeof Invite>

export const VALID_DAYS = 7
export const ALREADY = {
  active: 'Cette personne fait déjà partie de votre organisation.',
  invited: 'Cette personne est déjà invitée : renvoyez-lui son invitation.',
  disabled: 'Cette personne est désactivée dans votre organisation : réactivez-la.',
} as const satisfies Record<User['status'], string>

/** Two companies may invite the same new address at once: one account is made, both find it. */
async function findOrMakeAccount(tx: Db, { email, firstName, lastName }: Invitation) {
  const known = await findByEmail(tx, email)
  if (known) return known
  await tx.insert(users).values({ email, firstName, lastName }).onConflictDoNothing()
  const account = await findByEmail(tx, email)
  if (!account) throw new AppError('conflict')
  return account
}

/** Invites a person, with or without an account: the answer is the same. */
export async function inviteUser(tx: Db, post: Post, actor: Actor, input: Invitation): Promise<User> {
  const place = await placeOf(tx, actor, input)
  const account = await findOrMakeAccount(tx, input)
  const [added] = await tx
    .insert(memberships)
    .values({
      companyId: actor.companyId,
      userId: account.id,
      ...place,
      invitedFirstName: input.firstName,
      invitedLastName: input.lastName,
    })
    .onConflictDoNothing()
    .returning()
  const user = await getUser(tx, actor, account.id)
  if (!added) throw new AppError('conflict', { message: ALREADY[user.status] })
  await sendInvitation(tx, post, actor, user)
  // A client has the portal alone, which opens when they accept: that is told then.
  if (user.role !== 'client') await tellMember(tx, actor.companyId, user)
  return user
}

/** A new link; the one sent before stops. */
export async function resendInvitation(tx: Db, post: Post, actor: Actor, id: string): Promise<User> {
  const user = await getUser(tx, actor, id)
  if (user.status !== 'invited')
    throw new AppError('conflict', { message: 'Il n’y a pas d’invitation en attente pour cette personne.' })
  await sendInvitation(tx, post, actor, user)
  return user
}

/** As many as the largest file of people and then some; and nobody is written to all day, whoever asks for it. */
const PER_COMPANY = 1500
const PER_ADDRESS = 6
const DAY = 86_400

/** Counted with what is sent: an invitation that was not counts for nothing. */
async function countInvitation(tx: Db, { companyId }: Actor, email: string) {
  await throttle(tx, `invitations of ${companyId}`, PER_COMPANY, DAY)
  await throttle(tx, `invitations to ${email.toLowerCase()}`, PER_ADDRESS, DAY)
}

/** The message itself, which carries the only copy of its link. */
export async function invitationMail(
  db: Db,
  config: Deps['config'],
  actor: Actor,
  { role, roleName, token }: Pick<User, 'role' | 'roleName'> & { token: string },
) {
  const [company] = await db.select().from(companies).where(eq(companies.id, actor.companyId))
  const name = company?.name ?? ''
  const brand = await mailBrandOf(db, config, actor.companyId)
  const layout = mailLayout({
    title: `Rejoindre ${name}`,
    paragraphs: [
      `${actor.firstName} ${actor.lastName} vous invite à rejoindre l’espace « ${name}\u00a0» sur Voisol${role === 'client' ? '' : `, avec le rôle «\u00a0${roleName}\u00a0»`}.`,
      `Ce lien est valable ${VALID_DAYS} jours et ne sert qu’une fois. Si vous n’attendiez pas cette invitation, ignorez ce message.`,
    ],
    action: { label: 'Accepter l’invitation', url: brandUrl(config, brand, `/login?invitation=${token}`) },
    footer: `Voisol — une question ? Écrivez à ${config.SUPPORT_EMAIL}.`,
    brand,
  })
  return { subject: `Invitation à rejoindre ${name}`, ...layout }
}

async function sendInvitation(tx: Db, { secrets, config }: Post, actor: Actor, { id, email, role, roleName }: User) {
  await requireVerified(tx, actor)
  await countInvitation(tx, actor, email)
  const token = newToken()
  const invitationExpiresAt = new Date(Date.now() + VALID_DAYS * 86_400_000)
  await tx
    .update(memberships)
    .set({ invitationHash: sha256(token), invitationExpiresAt })
    .where(and(userScope(actor), eq(memberships.userId, id)))
  const mail = { to: email, ...(await invitationMail(tx, config, actor, { role, roleName, token })) }
  await sendMail(tx, secrets, mail, { companyId: actor.companyId, sender: 'installation' })
}
