import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import type { SsoTestResult } from '@voisol/contract/sso'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { loadOpenConnection } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/database-errors.ts'
import { roles, ssoAttempts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getClientNetwork, getRequestOrigin } from '../../../http/client-address.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { generateToken, type Secrets, sha256 } from '../../../secrets.ts'
import { completeSignIn } from '../auth/index.ts'
import type { SsoIdentity } from './identity.ts'
import { beginOidc, type OidcLoginState } from './oidc.ts'
import { beginSaml, type SamlLoginState } from './saml.ts'
import { getRoleForGroups, resolveSsoAccount } from './sso-account.ts'
import {
  findSsoConnection,
  getServiceUrls,
  lockSsoConnection,
  requireConnectionPermissions,
  type SsoConnectionRow,
  SsoRefusal,
  throwSsoRefusal,
} from './sso-connection.ts'
import { recordSsoRefusal } from './sso-journal.ts'

export type SsoAttempt = typeof ssoAttempts.$inferSelect
type SsoOutcome = { identity?: SsoIdentity; refusal?: string }

const ATTEMPT_MINUTES = 15
const BROWSER_COOKIE = 'voisol_sso'
const COOKIE_PATH = '/api/auth/sso'

/** The company stands in it: the row is found where that company's rows are. */
const generateState = (companyId: number) => `${companyId}.${generateToken()}`
const getAttemptSealContext = ({ companyId, id }: Pick<SsoAttempt, 'companyId' | 'id'>, what: string) =>
  `sso attempt ${what} ${companyId} ${id}`

type BeginSsoInput = { row: SsoConnectionRow; origin: string; email?: string; testerId?: string }

/** Sends a browser to the provider. Only this browser comes in by the answer: the cookie stays with it and the provider never sees it. */
async function beginSsoSignIn(
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

const getBrowserToken = (request: FastifyRequest) => /^[\w-]{43}$/.exec(request.cookies[BROWSER_COOKIE] ?? '')?.[0]

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

const openSsoOutcome = (secrets: Secrets, attempt: SsoAttempt): SsoOutcome | undefined =>
  attempt.outcome === null
    ? undefined
    : JSON.parse(secrets.open(attempt.outcome, getAttemptSealContext(attempt, 'outcome')))

/** Outside the transaction too: a ticket is good once, whatever comes of it. */
async function consumeTicket(aside: Db, ticket: string): Promise<SsoAttempt | undefined> {
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

const SIGN_IN_WINDOW_SECONDS = 15 * 60
/** An office comes in at nine, by one address. */
const MAX_SIGN_INS_PER_WINDOW = 600
const TICKET_VALIDITY_MS = 5 * 60_000

/** The address of the provider, for whoever has an address of one of its domains: whether they have an account is not said. */
export async function startSsoSignIn(ctx: RouteContext<undefined>, email: string) {
  const { db, aside, request, config } = ctx
  await throttle(aside, `sso start ${getClientNetwork(request.ip)}`, MAX_SIGN_INS_PER_WINDOW, SIGN_IN_WINDOW_SECONDS)
  const row = await loadOpenConnection(db, email)
  if (!row) throw new AppError('sso-unknown')
  try {
    const { url } = await beginSsoSignIn(ctx, { row, origin: getRequestOrigin(request, config.PUBLIC_URL), email })
    return { url }
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordSsoRefusal(ctx, { connection: row, who: email, refusal, request })
    throw new AppError('sso')
  }
}

/** What keeps a ticket from being changed for a session; nothing of it is told to whoever brings it. */
function requireOwnTicket(ctx: RouteContext<undefined>, attempt: SsoAttempt) {
  const browser = getBrowserToken(ctx.request)
  if (!browser || !attempt.browserHash.equals(sha256(browser)))
    throw new SsoRefusal('browser', 'La réponse est arrivée dans un autre navigateur que celui qui l’a demandée.')
  if (!attempt.answeredAt || attempt.answeredAt.getTime() < Date.now() - TICKET_VALIDITY_MS)
    throw new SsoRefusal('late', 'La réponse n’a pas été employée à temps\u00a0: recommencez la connexion.')
}

/** A session for who the provider said it is, by the same door as a password's. */
export async function finishSsoSignIn(ctx: RouteContext<undefined>, ticket: string) {
  const { db, aside, secrets, request } = ctx
  await throttle(aside, `sso finish ${getClientNetwork(request.ip)}`, MAX_SIGN_INS_PER_WINDOW, SIGN_IN_WINDOW_SECONDS)
  const attempt = await consumeTicket(aside, ticket)
  const connection = attempt && (await findSsoConnection(db, attempt.companyId, attempt.connectionId))
  if (!attempt || !connection) throw new AppError('sso')
  const identity = openSsoOutcome(secrets, attempt)?.identity
  try {
    requireOwnTicket(ctx, attempt)
    if (!connection.activatedAt || !identity) throw new SsoRefusal('closed', 'La connexion a été fermée entre-temps.')
    const user = await resolveSsoAccount(db, connection, identity)
    return await completeSignIn(ctx, user, connection.companyId, {
      openedWith: 'sso',
      target: connection.name,
      sso: connection,
    })
  } catch (refusal) {
    if (!(refusal instanceof SsoRefusal)) throw refusal
    await recordSsoRefusal(ctx, { connection, who: identity?.email ?? '', refusal, request })
    throw new AppError('sso')
  }
}

const isConfigured = ({ kind, issuer, certificates }: SsoConnectionRow) =>
  kind === 'saml' ? certificates.length > 0 : issuer !== ''

/** The same way as a sign-in's; what comes back is shown, and opens nothing. */
export async function startTestSignIn(ctx: RouteContext, id: string) {
  const { db, actor, request, config } = ctx
  const row = await lockSsoConnection(db, actor, id)
  await requireConnectionPermissions(db, actor, row)
  if (!isConfigured(row)) throw new AppError('conflict', { message: 'Réglez d’abord le fournisseur d’identité.' })
  try {
    return {
      row,
      ...(await beginSsoSignIn(ctx, {
        row,
        origin: getRequestOrigin(request, config.PUBLIC_URL),
        testerId: actor.userId,
      })),
    }
  } catch (error) {
    if (error instanceof SsoRefusal) throw fieldError('connection', error.message, 'conflict')
    throw error
  }
}

async function loadRoleName(db: Db, connection: SsoConnectionRow, groups: string[]): Promise<string> {
  const role = getRoleForGroups(connection, groups)
  if (!role) return ''
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].label
  const [own] = await db
    .select({ name: roles.name })
    .from(roles)
    .where(and(eq(roles.companyId, connection.companyId), eq(roles.id, role)))
  return own?.name ?? ''
}

const EMPTY_TEST_RESULT = { reason: '', email: '', firstName: '', lastName: '', groups: [], roleName: '', claims: [] }

export async function loadTestSignIn(db: Db, secrets: Secrets, actor: Actor, id: string): Promise<SsoTestResult> {
  const [attempt] = await db
    .select()
    .from(ssoAttempts)
    .where(and(eq(ssoAttempts.companyId, actor.companyId), eq(ssoAttempts.id, id)))
  const connection = attempt?.testerId ? await findSsoConnection(db, actor.companyId, attempt.connectionId) : undefined
  if (!attempt || !connection) throw new AppError('not-found')
  const { identity, refusal } = openSsoOutcome(secrets, attempt) ?? {}
  if (!identity) return { ...EMPTY_TEST_RESULT, state: refusal ? 'refused' : 'waiting', reason: refusal ?? '' }
  const { email, firstName, lastName, groups, claims } = identity
  const shown = { email, firstName, lastName, groups, claims, roleName: await loadRoleName(db, connection, groups) }
  return { ...shown, state: refusal ? 'refused' : 'accepted', reason: refusal ?? '' }
}
