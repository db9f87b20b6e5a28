import { type Endpoint, getReach } from '@voisol/contract/endpoint'
import { CompanyId } from '@voisol/contract/primitives'
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '../db/client.ts'
import { companies, memberships, passkeys, users } from '../db/schema/index.ts'
import { type Actor, isPersonActor, type PersonActor, type SessionOpening } from './actor.ts'
import { AppError } from './errors.ts'
import { findSsoOnlyCompany } from './imposed-sign-on.ts'

/**
 * Refuses what a session was not opened for, for every endpoint and before anything is read: another company, or the person as
 * a whole. What a company's identity provider says of somebody must open nothing but that company.
 */
export async function requireSessionScope(db: Db, request: FastifyRequest, e: Endpoint): Promise<void> {
  const { actor } = request
  if (!actor) return
  const reach = getReach(e)
  if (reach === 'named-company') return requireNamedCompany(db, actor, request.params)
  if (!isPersonActor(actor) || actor.openedFor === null) return
  if (reach === 'sign-in' || (reach === 'person' && (await belongsToOtherCompany(db, actor, actor.openedFor))))
    throw new AppError('sso-only-here')
}

const NamedCompany = z.object({ companyId: CompanyId })

/** Leaves with the actor the other company that it may act in: `companyScope` opens no other. */
async function requireNamedCompany(db: Db, actor: Actor, params: unknown) {
  // What is no number of a company names none: the endpoint says so when it reads its parameters.
  const { data } = NamedCompany.safeParse(params)
  if (!data || data.companyId === actor.companyId) return
  const { companyId } = data
  if (!isPersonActor(actor)) throw new AppError('not-found')
  const { lacksSecondFactor } = await requireOtherCompany(db, actor, companyId)
  if (lacksSecondFactor) throw new AppError('second-factor-unproved')
  actor.namedCompanyId = companyId
}

type OtherCompany = {
  /** The company asks this person for a second factor that the session has not proved. */
  lacksSecondFactor: boolean
  /** The account has one to prove, at another sign-in. */
  hasSecondFactor: boolean
}

/**
 * Another company of the person, where a session opened as this one was may go at all: by a password, a company that imposes its
 * own sign-on stays closed; by a company's provider, every other one.
 */
export async function requireOtherCompany(db: Db, actor: PersonActor, companyId: number): Promise<OtherCompany> {
  const { userId, openedFor, openedWith } = actor
  if (openedFor !== null) throw new AppError('sso-only-here')
  const [row] = await db
    .select({
      secondFactor: companies.secondFactor,
      role: memberships.role,
      email: users.email,
      totpEnabledAt: users.totpEnabledAt,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.companyId, companyId),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
      ),
    )
  if (!row) throw new AppError('not-found')
  if ((await findSsoOnlyCompany(db, { id: userId, email: row.email })) === companyId)
    throw new AppError('sso-required-there')
  const hasSecondFactor = row.totpEnabledAt !== null || (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0
  return { lacksSecondFactor: lacksSecondFactor(row, openedWith, hasSecondFactor), hasSecondFactor }
}

type SecondFactorPolicy = Pick<typeof companies.$inferSelect, 'secondFactor'> &
  Pick<typeof memberships.$inferSelect, 'role'>

/** A factor that the account has lost since is proved by no session. */
const lacksSecondFactor = (
  { secondFactor: rule, role }: SecondFactorPolicy,
  openedWith: SessionOpening['openedWith'],
  has: boolean,
) => (rule === 'everyone' || (rule === 'office' && role !== 'client')) && (openedWith === 'password' || !has)

/**
 * The other companies that this person belongs to, or was invited to, or belonged to, and whose data a session opened as this one
 * was may not take away: they impose their own sign-on, or ask for a second factor that it has not proved.
 */
export async function findCompaniesClosedToSession(
  db: Db,
  actor: PersonActor,
): Promise<{ id: number; name: string }[]> {
  const { userId, email, companyId, openedFor, openedWith, user } = actor
  if (openedFor !== null) return []
  const places = await db
    .select({
      id: companies.id,
      name: companies.name,
      secondFactor: companies.secondFactor,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), ne(memberships.companyId, companyId)))
    .orderBy(companies.name)
  const imposing = await findSsoOnlyCompany(db, { id: userId, email })
  return places
    .filter((place) => place.id === imposing || lacksSecondFactor(place, openedWith, user.secondFactor))
    .map(({ id, name }) => ({ id, name }))
}

/**
 * Also where an invitation waits or access was taken away: the person is known there under the same account. The example of the
 * company is the company's.
 */
async function belongsToOtherCompany(db: Db, { userId }: Actor, companyId: number): Promise<boolean> {
  const [other] = await db
    .select({ id: companies.id })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        ne(memberships.companyId, companyId),
        or(isNull(companies.exampleOf), ne(companies.exampleOf, companyId)),
      ),
    )
    .limit(1)
  return other !== undefined
}
