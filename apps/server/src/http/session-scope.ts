import { type Endpoint, getReach } from '@voisol/contract/endpoint'
import { CompanyId } from '@voisol/contract/primitives'
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '../db/client.ts'
import { companies, memberships, passkeys, ssoConnections, ssoDomains, users } from '../db/schema/index.ts'
import { type Actor, isPersonActor, type PersonActor, type SessionOpening } from './actor.ts'
import { AppError } from './errors.ts'

/**
 * Refuses what a session is not valid for, for every endpoint and before anything is read: another company, or the
 * person as a whole. A company's identity provider may give access only to that company.
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

/** Stores in the actor the other company it may act in: `companyScope` allows no other. */
async function requireNamedCompany(db: Db, actor: Actor, params: unknown) {
  // An invalid company number names none: the endpoint reports it when it parses its parameters.
  const { data } = NamedCompany.safeParse(params)
  if (!data || data.companyId === actor.companyId) return
  const { companyId } = data
  if (!isPersonActor(actor)) throw new AppError('not-found')
  const { lacksSecondFactor } = await requireOtherCompany(db, actor, companyId)
  if (lacksSecondFactor) throw new AppError('second-factor-unproved')
  actor.namedCompanyId = companyId
}

type OtherCompany = {
  /** The company requires a second factor that this session has not proved. */
  lacksSecondFactor: boolean
  /** The account has a second factor, to be used at another sign-in. */
  hasSecondFactor: boolean
}

/**
 * Another company of the person, if a session opened like this one may act there at all: with a password, a company
 * that enforces single sign-on is closed; with a company's provider, every other company is.
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

/** A second factor that was removed since counts as unproved. */
const lacksSecondFactor = (
  { secondFactor: rule, role }: SecondFactorPolicy,
  openedWith: SessionOpening['openedWith'],
  has: boolean,
) => (rule === 'everyone' || (rule === 'office' && role !== 'client')) && (openedWith === 'password' || !has)

/**
 * Companies of which the person is, was or is invited to be a member, and whose data this session may not export: they
 * enforce single sign-on, or require a second factor that it has not proved.
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
 * Pending invitations and revoked memberships count: the person is known there under the same account. The company's
 * example belongs to the company.
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

/** The company that lets people of a domain in by its own provider alone, and the one whose password still opens it. */
export type SsoEnforcement = { companyId: number; breakGlassId: string }

export const getEmailDomain = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The connection that people of an address may come in by: it is switched on, and its company proved the domain. */
export async function loadOpenConnection(db: Db, email: string) {
  const [row] = await db
    .select({ connection: ssoConnections })
    .from(ssoDomains)
    .innerJoin(
      ssoConnections,
      and(eq(ssoConnections.companyId, ssoDomains.companyId), eq(ssoConnections.id, ssoDomains.connectionId)),
    )
    .where(
      and(
        eq(ssoDomains.domain, getEmailDomain(email)),
        isNotNull(ssoDomains.provedAt),
        isNotNull(ssoConnections.activatedAt),
      ),
    )
  return row?.connection
}

/** Who decides how this address comes in, where somebody proved its domain and imposed it. */
export async function findSsoEnforcement(db: Db, email: string): Promise<SsoEnforcement | undefined> {
  const connection = await loadOpenConnection(db, email)
  if (!connection?.enforcedAt || !connection.breakGlassId) return undefined
  return { companyId: connection.companyId, breakGlassId: connection.breakGlassId }
}

/** The company that this account may not open but through its provider. */
export async function findSsoOnlyCompany(db: Db, user: { id: string; email: string }): Promise<number | undefined> {
  const rule = await findSsoEnforcement(db, user.email)
  return rule && rule.breakGlassId !== user.id ? rule.companyId : undefined
}
