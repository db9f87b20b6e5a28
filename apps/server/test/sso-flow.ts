import { sso } from '@voisol/contract/sso'
import { openOutside } from '../src/adapters/post/outside.ts'
import { ssoConnections, ssoDomains } from '../src/db/schema/index.ts'
import { call, type Server } from './client.ts'

type Owner = { companyId: number; token: string }

/** The names of a test: what its domains say. */
export const records = new Map<string, string[]>()
export function openInner(server: Server) {
  server.deps.outside = openOutside({ inner: true, txt: async (name) => records.get(name) ?? [] })
}

type Made = typeof ssoConnections.$inferInsert

/** A connection with its domain proved, tried and open: what a test of something else starts from. */
export async function makeSso(
  { db }: Server,
  { companyId }: Pick<Owner, 'companyId'>,
  domain: string,
  more: Partial<Made> = {},
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

const cookieOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';', 1)[0])
    .join('; ')

/** The browser that begins: where it is sent, and the cookie it keeps. */
export async function begin(server: Server, email: string) {
  const { status, body, headers } = await call(server, sso.start, { body: { email } })
  return { status, code: body.code as string, url: new URL(body.url ?? 'http://none/'), cookie: cookieOf(headers) }
}

export async function beginTrial(server: Server, { token }: Pick<Owner, 'token'>, id: string) {
  const { body, headers } = await call(server, sso.test, { params: { id } }, { token })
  return { url: new URL(body.url), cookie: cookieOf(headers) }
}

/** Where a browser lands that brings an answer to the product. */
export async function land(server: Server, url: string, form?: Record<string, string>): Promise<string> {
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

export const ticketOf = (landed: string) => new URL(landed, 'http://localhost').searchParams.get('sso') ?? ''

/** Changes the ticket for a session, as the page does. */
export const finish = (server: Server, landed: string, cookie: string) =>
  call(server, sso.finish, { body: { ticket: ticketOf(landed).padEnd(20, '-') } }, { headers: { cookie } })

/** The sentences that the journal of a company holds, newest first. */
export async function refusals(server: Server, { token }: Pick<Owner, 'token'>): Promise<string[]> {
  const { body } = await call(server, sso.journal, {}, { token })
  const items = body.items as { outcome: string; reason: string }[]
  return items.filter(({ outcome }) => outcome === 'refused').map(({ reason }) => reason)
}
