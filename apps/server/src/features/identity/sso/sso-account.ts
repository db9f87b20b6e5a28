import { RoleRef as Role, type RoleRef } from '@voisol/contract/roles'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { getEmailDomain } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, ssoPeople, users } from '../../../db/schema/index.ts'
import {
  confirmUserAddress,
  findAccount,
  findAccountByEmail,
  lockUserAccount,
  type UserAccount,
} from '../auth/index.ts'
import { findRoleColumns, recordMemberChange } from '../users/index.ts'
import { listProvedDomains } from './domains.ts'
import type { SsoIdentity } from './identity.ts'
import { getSsoRoleRules, type SsoConnectionRow, throwSsoRefusal } from './sso-connection.ts'

/** The role of the first rule that names one of the groups, in the order of the rules. */
export function getRoleForGroups(
  connection: Pick<SsoConnectionRow, 'roles' | 'defaultRole'>,
  groups: readonly string[],
): RoleRef | null {
  const rule = getSsoRoleRules(connection).find(({ group }) =>
    groups.some((own) => own.toLowerCase() === group.toLowerCase()),
  )
  const role = rule?.role ?? connection.defaultRole
  return role === null ? null : Role.parse(role)
}

/** A provider speaks for the domains that its company proved, and for no other. */
export async function requireProvedDomain(db: Db, connection: SsoConnectionRow, email: string) {
  if (!(await listProvedDomains(db, connection)).includes(getEmailDomain(email)))
    throwSsoRefusal(
      'domain',
      `L’adresse ${email} n’est pas d’un domaine prouvé de cette connexion\u00a0: prouvez-le, ou corrigez l’adresse chez le fournisseur.`,
    )
}

const isLinkedPerson = ({ companyId, id }: SsoConnectionRow, more: Parameters<typeof and>[number]) =>
  and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id), more)

/** Who this subject was the last time. */
async function findAccountBySubject(
  tx: Db,
  connection: SsoConnectionRow,
  subject: string,
): Promise<UserAccount | undefined> {
  const [row] = await tx
    .select()
    .from(ssoPeople)
    .where(isLinkedPerson(connection, eq(ssoPeople.subject, subject)))
  return row && findAccount(tx, row.userId)
}

async function findMembership(db: Db, { companyId }: SsoConnectionRow, userId: string) {
  const [row] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
  return row
}
type Membership = NonNullable<Awaited<ReturnType<typeof findMembership>>>

/** An address that was given to somebody else since is not the same person. */
async function linkSubject(tx: Db, connection: SsoConnectionRow, userId: string, subject: string) {
  const { companyId, id: connectionId } = connection
  const [row] = await tx
    .select()
    .from(ssoPeople)
    .where(isLinkedPerson(connection, eq(ssoPeople.userId, userId)))
  if (row?.subject && row.subject !== subject)
    throwSsoRefusal(
      'subject',
      'Cette adresse est déjà celle d’une autre personne de ce fournisseur (autre identifiant)\u00a0: désactivez l’ancien compte d’abord.',
    )
  await tx
    .insert(ssoPeople)
    .values({ companyId, connectionId, userId, subject })
    .onConflictDoUpdate({
      target: [ssoPeople.companyId, ssoPeople.connectionId, ssoPeople.userId],
      set: { subject, changedAt: new Date() },
    })
}

/** An account for somebody who had none: their address is the company's, and they have no password. */
export async function createSsoAccount(
  tx: Db,
  connection: SsoConnectionRow,
  { email, firstName, lastName }: Pick<SsoIdentity, 'email' | 'firstName' | 'lastName'>,
  role: RoleRef,
): Promise<UserAccount> {
  const membershipRole = await findRoleColumns(tx, connection, role)
  if (!membershipRole)
    return throwSsoRefusal(
      'role',
      'Le rôle que donne la connexion n’existe plus dans l’organisation : choisissez-en un autre dans ses règles.',
    )
  const [user] = await tx
    .insert(users)
    .values({ email, firstName, lastName, emailVerifiedAt: new Date() })
    .onConflictDoNothing()
    .returning()
  if (!user) return throwSsoRefusal('account', 'Ce compte vient d’être créé par ailleurs\u00a0: recommencez.')
  await tx
    .insert(memberships)
    .values({ companyId: connection.companyId, userId: user.id, ...membershipRole, acceptedAt: new Date() })
  await recordMemberChange(tx, connection.companyId, { id: user.id, status: 'active', role })
  return user
}

const FOREIGN_ACCOUNT_MESSAGE =
  'Cette adresse a déjà un compte, qui n’est pas de cette organisation\u00a0: invitez la personne, qui acceptera avec son mot de passe.'

/** An invitation that waits is accepted: who proves the address by the provider of its domain has it. */
async function acceptPendingInvitation(
  tx: Db,
  user: UserAccount,
  { companyId, version }: Membership,
  { firstName, lastName }: SsoIdentity,
) {
  await lockUserAccount(tx, user.id)
  const [other] = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(
      and(eq(memberships.userId, user.id), ne(memberships.companyId, companyId), isNotNull(memberships.acceptedAt)),
    )
    .limit(1)
  if (other) throwSsoRefusal('account', FOREIGN_ACCOUNT_MESSAGE)
  const accepted = await tx
    .update(memberships)
    .set({ acceptedAt: new Date(), version: version + 1 })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, user.id), eq(memberships.version, version)))
    .returning({ userId: memberships.userId })
  if (!accepted.length) throwSsoRefusal('account', 'Cette invitation vient de changer\u00a0: recommencez.')
  await tx.update(users).set({ firstName, lastName }).where(eq(users.id, user.id))
}

/**
 * The account that comes in by this identity, made where there is none. Nobody's account of another company is ever opened.
 * Whoever came before is read and not held: every machine of a cluster would have to be there.
 */
export async function resolveSsoAccount(
  tx: Db,
  connection: SsoConnectionRow,
  identity: SsoIdentity,
): Promise<UserAccount> {
  await requireProvedDomain(tx, connection, identity.email)
  const existing =
    (await findAccountBySubject(tx, connection, identity.subject)) ?? (await findAccountByEmail(tx, identity.email))
  if (!existing) {
    const role = getRoleForGroups(connection, identity.groups)
    if (!role)
      return throwSsoRefusal(
        'role',
        'Aucun groupe reçu ne donne de rôle ici, et aucun rôle n’est prévu sans groupe\u00a0: complétez les règles de la connexion.',
      )
    const made = await createSsoAccount(tx, connection, identity, role)
    await linkSubject(tx, connection, made.id, identity.subject)
    return made
  }
  // Their own address may have changed at the provider: it is the account's that must be of a domain of theirs.
  await requireProvedDomain(tx, connection, existing.email)
  const membership = await findMembership(tx, connection, existing.id)
  if (!membership) return throwSsoRefusal('account', FOREIGN_ACCOUNT_MESSAGE)
  if (membership.disabledAt)
    throwSsoRefusal('disabled', 'Ce compte est désactivé dans l’organisation\u00a0: réactivez-le pour qu’il entre.')
  if (!membership.acceptedAt) await acceptPendingInvitation(tx, existing, membership, identity)
  // The provider of the proved domain vouches for the address, and for nothing that the account holds besides.
  if (!existing.emailVerifiedAt) await confirmUserAddress(tx, existing.id, { password: false })
  await linkSubject(tx, connection, existing.id, identity.subject)
  return existing
}
