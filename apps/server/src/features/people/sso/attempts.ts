import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/refusal.ts'
import { ssoAttempts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { RouteContext } from '../../../http/route.ts'
import { generateToken, type Secrets, sha256 } from '../../../secrets.ts'
import { throwSsoRefusal } from './faults.ts'
import { getServiceUrls } from './given.ts'
import type { SsoIdentity } from './identity.ts'
import { beginOidc, type OidcLoginState } from './oidc.ts'
import { beginSaml, type SamlLoginState } from './saml.ts'
import type { SsoConnectionRow } from './scope.ts'

export type SsoAttempt = typeof ssoAttempts.$inferSelect
export type SsoOutcome = { identity?: SsoIdentity; refusal?: string }

const ATTEMPT_MINUTES = 15
const BROWSER_COOKIE = 'voisol_sso'
const COOKIE_PATH = '/api/auth/sso'

/** The company stands in it: the row is found where that company's rows are. */
const generateState = (companyId: number) => `${companyId}.${generateToken()}`
const getAttemptSealContext = ({ companyId, id }: Pick<SsoAttempt, 'companyId' | 'id'>, what: string) =>
  `sso attempt ${what} ${companyId} ${id}`

type BeginSsoInput = { row: SsoConnectionRow; origin: string; email?: string; testerId?: string }

/** Sends a browser to the provider. Only this browser comes in by the answer: the cookie stays with it and the provider never sees it. */
export async function beginSsoSignIn(
  ctx: Pick<RouteContext<unknown>, 'db' | 'leave' | 'request'> & Pick<Deps, 'secrets' | 'outside'>,
  { row, origin, email, testerId }: BeginSsoInput,
) {
  const { companyId } = row
  const id = crypto.randomUUID()
  const state = generateState(companyId)
  const urls = getServiceUrls(origin, row)
  const { url, trip: loginState } =
    row.kind === 'saml'
      ? await beginSaml(ctx, row, urls, state)
      : await beginOidc(ctx, row, urls.redirectUri, state, email)
  // A browser is sent there by a script: what a provider says of itself must be an address of the web, and no other.
  const refusal = ctx.outside.refusal(url)
  if (refusal || !/^https?:/.test(url))
    throwSsoRefusal('address', refusal ?? 'Le fournisseur ne donne pas une adresse du web.')
  const browser = getBrowserToken(ctx.request) ?? generateToken()
  await ctx.db.insert(ssoAttempts).values({
    companyId,
    id,
    connectionId: row.id,
    stateHash: sha256(state),
    browserHash: sha256(browser),
    sealed: ctx.secrets.seal(JSON.stringify(loginState), getAttemptSealContext({ companyId, id }, 'trip')),
    testerId: testerId ?? null,
    expiresAt: sql`now() + make_interval(mins => ${ATTEMPT_MINUTES})`,
  })
  ctx.leave({ name: BROWSER_COOKIE, value: browser, path: COOKIE_PATH, maxAge: ATTEMPT_MINUTES * 60 })
  return { url, id }
}

export const getBrowserToken = (request: FastifyRequest) =>
  /^[\w-]{43}$/.exec(request.cookies[BROWSER_COOKIE] ?? '')?.[0]

/** Outside the transaction of the call: an answer that is refused has used its way back too. */
export async function consumeState(aside: Db, { companyId, id }: SsoConnectionRow, state: string): Promise<SsoAttempt> {
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
  if (!spent) return throwSsoRefusal('state', await explainUnknownState(aside, companyId, id, state))
  if (spent.expiresAt < new Date())
    throwSsoRefusal(
      'late',
      `La réponse est arrivée plus de ${ATTEMPT_MINUTES} minutes après la demande\u00a0: recommencez la connexion.`,
    )
  return spent
}

async function explainUnknownState(aside: Db, companyId: number, connectionId: string, state: string): Promise<string> {
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

export const openLoginState = (secrets: Secrets, attempt: SsoAttempt) =>
  JSON.parse(secrets.open(attempt.sealed, getAttemptSealContext(attempt, 'trip'))) as OidcLoginState & SamlLoginState // written by begin

/** An assertion is good once, whichever request it names. */
export async function consumeAssertion(aside: Db, { companyId, id }: SsoAttempt, assertionId: string) {
  const spent = await aside
    .update(ssoAttempts)
    .set({ assertionId })
    .where(and(eq(ssoAttempts.companyId, companyId), eq(ssoAttempts.id, id)))
    .returning({ id: ssoAttempts.id })
    .catch((error: unknown) => {
      if (isDatabaseRefusal(error, 'twin')) return []
      throw error
    })
  if (!spent.length) throwSsoRefusal('replay', 'Cette assertion a déjà servi (même ID)\u00a0: elle est rejouée.')
}

/** Keeps what came of it; a sign-in gets a ticket that its own browser can change for a session. */
export async function storeOutcome(
  aside: Db,
  secrets: Secrets,
  attempt: SsoAttempt,
  outcome: SsoOutcome,
): Promise<string> {
  const ticket = `${attempt.companyId}.${generateToken()}`
  await aside
    .update(ssoAttempts)
    .set({
      outcome: secrets.seal(JSON.stringify(outcome), getAttemptSealContext(attempt, 'outcome')),
      ticketHash: outcome.identity && !attempt.testerId ? sha256(ticket) : null,
    })
    .where(and(eq(ssoAttempts.companyId, attempt.companyId), eq(ssoAttempts.id, attempt.id)))
  return ticket
}

export const openSsoOutcome = (secrets: Secrets, attempt: SsoAttempt): SsoOutcome | undefined =>
  attempt.outcome === null
    ? undefined
    : JSON.parse(secrets.open(attempt.outcome, getAttemptSealContext(attempt, 'outcome')))

/** Outside the transaction too: a ticket is good once, whatever comes of it. */
export async function consumeTicket(aside: Db, ticket: string): Promise<SsoAttempt | undefined> {
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
