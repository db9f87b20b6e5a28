import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { isRefusal } from '../../../db/refusal.ts'
import { ssoAttempts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Context } from '../../../http/route.ts'
import { newToken, type Secrets, sha256 } from '../../../secrets.ts'
import { refuse } from './faults.ts'
import { givenBy } from './given.ts'
import type { Identity } from './identity.ts'
import { beginOidc, type OidcTrip } from './oidc.ts'
import { beginSaml, type SamlTrip } from './saml.ts'
import type { Connection } from './scope.ts'

export type Attempt = typeof ssoAttempts.$inferSelect
export type Outcome = { identity?: Identity; refusal?: string }

const MINUTES = 15
const COOKIE = 'voisol_sso'
const PATH = '/api/auth/sso'

/** The company stands in it: the row is found where that company's rows are. */
const newState = (companyId: number) => `${companyId}.${newToken()}`
const placeOfAttempt = ({ companyId, id }: Pick<Attempt, 'companyId' | 'id'>, what: string) =>
  `sso attempt ${what} ${companyId} ${id}`

type Begin = { row: Connection; origin: string; email?: string; testerId?: string }

/** Sends a browser to the provider. Only this browser comes in by the answer: the cookie stays with it and the provider never sees it. */
export async function begin(
  ctx: Pick<Context<unknown>, 'db' | 'leave' | 'request'> & Pick<Deps, 'secrets' | 'outside'>,
  { row, origin, email, testerId }: Begin,
) {
  const { companyId } = row
  const id = crypto.randomUUID()
  const state = newState(companyId)
  const given = givenBy(origin, row)
  const { url, trip } =
    row.kind === 'saml'
      ? await beginSaml(ctx, row, given, state)
      : await beginOidc(ctx, row, given.redirectUri, state, email)
  // A browser is sent there by a script: what a provider says of itself must be an address of the web, and no other.
  const refusal = ctx.outside.refusal(url)
  if (refusal || !/^https?:/.test(url)) refuse('address', refusal ?? 'Le fournisseur ne donne pas une adresse du web.')
  const browser = browserOf(ctx.request) ?? newToken()
  await ctx.db.insert(ssoAttempts).values({
    companyId,
    id,
    connectionId: row.id,
    stateHash: sha256(state),
    browserHash: sha256(browser),
    sealed: ctx.secrets.seal(JSON.stringify(trip), placeOfAttempt({ companyId, id }, 'trip')),
    testerId: testerId ?? null,
    expiresAt: sql`now() + make_interval(mins => ${MINUTES})`,
  })
  ctx.leave({ name: COOKIE, value: browser, path: PATH, maxAge: MINUTES * 60 })
  return { url, id }
}

export const browserOf = (request: FastifyRequest) => /^[\w-]{43}$/.exec(request.cookies[COOKIE] ?? '')?.[0]

/** Outside the transaction of the call: an answer that is refused has used its way back too. */
export async function spendState(aside: Db, { companyId, id }: Connection, state: string): Promise<Attempt> {
  const [spent] = await aside
    .update(ssoAttempts)
    .set({ answeredAt: new Date() })
    .where(
      and(
        eq(ssoAttempts.companyId, companyId),
        eq(ssoAttempts.connectionId, id),
        eq(ssoAttempts.stateHash, sha256(state)),
        isNull(ssoAttempts.answeredAt),
      ),
    )
    .returning()
  if (!spent) return refuse('state', await whyNot(aside, companyId, id, state))
  if (spent.expiresAt < new Date())
    refuse(
      'late',
      `La réponse est arrivée plus de ${MINUTES} minutes après la demande\u00a0: recommencez la connexion.`,
    )
  return spent
}

async function whyNot(aside: Db, companyId: number, connectionId: string, state: string): Promise<string> {
  if (!state)
    return 'La réponse ne porte aucune demande (state ou RelayState)\u00a0: la connexion se commence ici, pas chez le fournisseur.'
  const [known] = await aside
    .select({ connectionId: ssoAttempts.connectionId })
    .from(ssoAttempts)
    .where(and(eq(ssoAttempts.companyId, companyId), eq(ssoAttempts.stateHash, sha256(state))))
  if (!known) return 'La réponse porte une demande inconnue ici (state ou RelayState).'
  return known.connectionId === connectionId
    ? 'La réponse a déjà servi\u00a0: elle est présentée une seconde fois (state ou RelayState rejoué).'
    : 'La réponse porte une demande faite par une autre connexion (state ou RelayState).'
}

export const tripOf = (secrets: Secrets, attempt: Attempt) =>
  JSON.parse(secrets.open(attempt.sealed, placeOfAttempt(attempt, 'trip'))) as OidcTrip & SamlTrip // written by begin

/** An assertion is good once, whichever request it names. */
export async function spendAssertion(aside: Db, { companyId, id }: Attempt, assertionId: string) {
  const spent = await aside
    .update(ssoAttempts)
    .set({ assertionId })
    .where(and(eq(ssoAttempts.companyId, companyId), eq(ssoAttempts.id, id)))
    .returning({ id: ssoAttempts.id })
    .catch((error: unknown) => {
      if (isRefusal(error, 'twin')) return []
      throw error
    })
  if (!spent.length) refuse('replay', 'Cette assertion a déjà servi (même ID)\u00a0: elle est rejouée.')
}

/** Keeps what came of it; a sign-in gets a ticket that its own browser can change for a session. */
export async function keepOutcome(aside: Db, secrets: Secrets, attempt: Attempt, outcome: Outcome): Promise<string> {
  const ticket = `${attempt.companyId}.${newToken()}`
  await aside
    .update(ssoAttempts)
    .set({
      outcome: secrets.seal(JSON.stringify(outcome), placeOfAttempt(attempt, 'outcome')),
      ticketHash: outcome.identity && !attempt.testerId ? sha256(ticket) : null,
    })
    .where(and(eq(ssoAttempts.companyId, attempt.companyId), eq(ssoAttempts.id, attempt.id)))
  return ticket
}

export const outcomeOf = (secrets: Secrets, attempt: Attempt): Outcome | undefined =>
  attempt.outcome === null ? undefined : JSON.parse(secrets.open(attempt.outcome, placeOfAttempt(attempt, 'outcome')))

/** Outside the transaction too: a ticket is good once, whatever comes of it. */
export async function spendTicket(aside: Db, ticket: string): Promise<Attempt | undefined> {
  const companyId = Number(/^(\d{1,10})\./.exec(ticket)?.[1] ?? 0)
  if (!companyId || companyId > 2_147_483_647) return undefined
  const [spent] = await aside
    .update(ssoAttempts)
    .set({ spentAt: new Date() })
    .where(
      and(
        eq(ssoAttempts.companyId, companyId),
        eq(ssoAttempts.ticketHash, sha256(ticket)),
        isNull(ssoAttempts.spentAt),
      ),
    )
    .returning()
  return spent
}
