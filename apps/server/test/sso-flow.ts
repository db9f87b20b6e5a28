import { sso } from '@voisol/contract/sso'
import { ssoConnections, ssoDomains } from '../src/db/schema/index.ts'
import { createOutboundClient } from '../src/integrations/post/outbound-client.ts'
import { call, type TestServer } from './client.ts'

type Owner = { companyId: number; token: string }

/** TXT records of the simulated DNS, by name. */
export const dnsTxtRecords = new Map<string, string[]>()
export function allowLocalProviders(server: TestServer) {
  server.deps.outside = createOutboundClient({ inner: true, txt: async (name) => dnsTxtRecords.get(name) ?? [] })
}

type SsoConnectionRow = typeof ssoConnections.$inferInsert

/** A connection with its domain verified, tested and active: the starting point of other tests. */
export async function makeSsoConnection(
  { db }: TestServer,
  { companyId }: Pick<Owner, 'companyId'>,
  domain: string,
  more: Partial<SsoConnectionRow> = {},
) {
  const open = { testedAt: new Date(), activatedAt: new Date(), defaultRole: 'reader' }
  const [row] = await db
    .insert(ssoConnections)
    .values({ companyId, name: `Annuaire de ${domain}`, kind: 'oidc', ...open, ...more })
    .returning()
  if (!row) throw new Error('no connection')
  await db.insert(ssoDomains).values({ companyId, domain, connectionId: row.id, token: 'essai', provedAt: new Date() })
  return row
}

const getCookies = (headers: Record<string, unknown>) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';', 1)[0])
    .join('; ')

/** A browser that starts a sign-in: the URL it is sent to, and its cookie. */
export async function beginSsoInBrowser(server: TestServer, email: string) {
  const { status, body, headers } = await call(server, sso.start, { body: { email } })
  return { status, code: body.code as string, url: new URL(body.url ?? 'http://none/'), cookie: getCookies(headers) }
}

export async function startSsoTest(server: TestServer, { token }: Pick<Owner, 'token'>, id: string) {
  const { body, headers } = await call(server, sso.test, { params: { id } }, { token })
  return { url: new URL(body.url), cookie: getCookies(headers) }
}

/** Where a browser ends up after it delivers the provider's answer. */
export async function deliverSsoResponse(
  server: TestServer,
  url: string,
  form?: Record<string, string>,
): Promise<string> {
  const { pathname, search } = new URL(url)
  const response = await server.app.inject(
    form
      ? {
          method: 'POST',
          url: pathname,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://fournisseur.exemple' },
          payload: new URLSearchParams(form).toString(),
        }
      : { method: 'GET', url: pathname + search },
  )
  if (response.statusCode !== 303) throw new Error(`${pathname} answers ${response.statusCode} ${response.body}`)
  return String(response.headers.location)
}

const getSsoTicket = (landed: string) => new URL(landed, 'http://localhost').searchParams.get('sso') ?? ''

/** Exchanges the ticket for a session, as the page does. */
export const exchangeSsoTicket = (server: TestServer, landed: string, cookie: string) =>
  call(server, sso.finish, { body: { ticket: getSsoTicket(landed).padEnd(20, '-') } }, { headers: { cookie } })

/** The refusals in the audit journal of a company, newest first. */
export async function listSsoRefusals(server: TestServer, { token }: Pick<Owner, 'token'>): Promise<string[]> {
  const { body } = await call(server, sso.journal, {}, { token })
  const items = body.items as { outcome: string; reason: string }[]
  return items.filter(({ outcome }) => outcome === 'refused').map(({ reason }) => reason)
}
