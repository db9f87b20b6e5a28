import { RoleRef as Role, type RoleRef } from '@voisol/contract/roles'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { domainOf } from '../../../core/enforcement.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, ssoPeople, users } from '../../../db/schema/index.ts'
import { type Account, confirmAddress, findAccount, findByEmail, lockAccount } from '../auth/auth.ts'
import { keptRole, tellMember } from '../users/users.ts'
import { provedDomains } from './domains.ts'
import { refuse } from './faults.ts'
import type { Identity } from './identity.ts'
import { type Connection, mappedOf } from './scope.ts'

/** The role of the first rule that names one of the groups, in the order of the rules. */
export function roleFor(
  connection: Pick<Connection, 'roles' | 'defaultRole'>,
  groups: readonly string[],
): RoleRef | null {
  const rule = mappedOf(connection).find(({ group }) => groups.some((own) => own.toLowerCase() === group.toLowerCase()))
  const role = rule?.role ?? connection.defaultRole
  return role === null ? null : Role.parse(role)
}

/** A provider speaks for the domains that its company proved, and for no other. */
export async function requireOwnDomain(db: Db, connection: Connection, email: string) {
  if (!(await provedDomains(db, connection)).includes(domainOf(email)))
    refuse(
      'domain',
      `L’adresse ${email} n’est pas d’un domaine prouvé de cette connexion\u00a0: prouvez-le, ou corrigez l’adresse chez le fournisseur.`,
    )
}

const person = ({ companyId, id }: Connection, more: Parameters<typeof and>[number]) =>
  and(eq(ssoPeople.companyId, companyId), eq(ssoPeople.connectionId, id), more)

/** Who this subject was the last time. */
async function knownAs(tx: Db, connection: Connection, subject: string): Promise<Account | undefined> {
  const [row] = await tx
    .select()
    .from(ssoPeople)
    .where(person(connection, eq(ssoPeople.subject, subject)))
  return row && findAccount(tx, row.userId)
}

async function membershipOf(db: Db, { companyId }: Connection, userId: string) {
  const [row] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)))
  return row
}
type Membership = NonNullable<Awaited<ReturnType<typeof membershipOf>>>

/** An address that was given to somebody else since is not the same person. */
async function link(tx: Db, connection: Connection, userId: string, subject: string) {
  const { companyId, id: connectionId } = connection
  const [row] = await tx
    .select()
    .from(ssoPeople)
    .where(person(connection, eq(ssoPeople.userId, userId)))
  if (row?.subject && row.subject !== subject)
    refuse(
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
export async function makeAccount(
  tx: Db,
  connection: Connection,
  { email, firstName, lastName }: Pick<Identity, 'email' | 'firstName' | 'lastName'>,
  role: RoleRef,
): Promise<Account> {
  const place = await keptRole(tx, connection, role)
  if (!place)
    return refuse(
      'role',
      'Le rôle que donne la connexion n’existe plus dans l’organisation : choisissez-en un autre dans ses règles.',
    )
  const [user] = await tx
    .insert(users)
    .values({ email, firstName, lastName, emailVerifiedAt: new Date() })
    .onConflictDoNothing()
    .returning()
  if (!user) return refuse('account', 'Ce compte vient d’être créé par ailleurs\u00a0: recommencez.')
  await tx
    .insert(memberships)
    .values({ companyId: connection.companyId, userId: user.id, ...place, acceptedAt: new Date() })
  await tellMember(tx, connection.companyId, { id: user.id, status: 'active', role })
  return user
}

const ELSEWHERE =
  'Cette adresse a déjà un compte, qui n’est pas de cette organisation\u00a0: invitez la personne, qui acceptera avec son mot de passe.'

/** An invitation that waits is accepted: who proves the address by the provider of its domain has it. */
async function accept(tx: Db, user: Account, { companyId, version }: Membership, { firstName, lastName }: Identity) {
  await lockAccount(tx, user.id)
  const [other] = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(
      and(eq(memberships.userId, user.id), ne(memberships.companyId, companyId), isNotNull(memberships.acceptedAt)),
    )
    .limit(1)
  if (other) refuse('account', ELSEWHERE)
  const accepted = await tx
    .update(memberships)
    .set({ acceptedAt: new Date(), version: version + 1 })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, user.id), eq(memberships.version, version)))
    .returning({ userId: memberships.userId })
  if (!accepted.length) refuse('account', 'Cette invitation vient de changer\u00a0: recommencez.')
  await tx.update(users).set({ firstName, lastName }).where(eq(users.id, user.id))
}

/**
 * The account that comes in by this identity, made where there is none. Nobody's account of another company is ever opened.
 * Whoever came before is read and not held: every machine of a cluster would have to be there.
 */
export async function settle(tx: Db, connection: Connection, identity: Identity): Promise<Account> {
  await requireOwnDomain(tx, connection, identity.email)
  const known = (await knownAs(tx, connection, identity.subject)) ?? (await findByEmail(tx, identity.email))
  if (!known) {
    const role = roleFor(connection, identity.groups)
    if (!role)
      return refuse(
        'role',
        'Aucun groupe reçu ne donne de rôle ici, et aucun rôle n’est prévu sans groupe\u00a0: complétez les règles de la connexion.',
      )
    const made = await makeAccount(tx, connection, identity, role)
    await link(tx, connection, made.id, identity.subject)
    return made
  }
  // Their own address may have changed at the provider: it is the account's that must be of a domain of theirs.
  await requireOwnDomain(tx, connection, known.email)
  const membership = await membershipOf(tx, connection, known.id)
  if (!membership) return refuse('account', ELSEWHERE)
  if (membership.disabledAt)
    refuse('disabled', 'Ce compte est désactivé dans l’organisation\u00a0: réactivez-le pour qu’il entre.')
  if (!membership.acceptedAt) await accept(tx, known, membership, identity)
  // The provider of the proved domain vouches for the address, and for nothing that the account holds besides.
  if (!known.emailVerifiedAt) await confirmAddress(tx, known.id, { password: false })
  await link(tx, connection, known.id, identity.subject)
  return known
}
