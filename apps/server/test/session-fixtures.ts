import { auth } from '@voisol/contract/auth'
import { sso } from '@voisol/contract/sso'
import { users } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import { memberships, sessions, ssoConnections } from '../src/db/schema/index.ts'
import { getSsoSealContext } from '../src/features/identity/sso/sso-connection.ts'
import { generateToken, sha256 } from '../src/secrets.ts'
import { call, type TestServer } from './client.ts'
import { PASSWORD } from './factories.ts'
import { listMailsTo } from './mails.ts'
import { startOidcProvider } from './sso-oidc.ts'
import { waitUntil } from './wait.ts'

/** The credentials of a call: its token and headers. */
export type CallCredentials = { token: string; headers?: Record<string, string> }
export type OpenedWith = (typeof sessions.$inferSelect)['openedWith']
type SessionInput = { userId: string; companyId: number; openedWith: OpenedWith; ssoConnectionId?: string }

/** Makes the person a member of another company too. */
export const addCompanyMembership = (
  { db }: TestServer,
  userId: string,
  companyId: number,
  role: 'admin' | 'client' = 'admin',
) => db.insert(memberships).values({ companyId, userId, role, acceptedAt: new Date() })

/** A session as a sign-in creates it, without signing in. */
export async function insertSession({ db }: TestServer, opening: SessionInput): Promise<CallCredentials> {
  const token = generateToken()
  await db.insert(sessions).values({
    openedFor: opening.openedWith === 'sso' ? opening.companyId : null,
    tokenHash: sha256(token),
    refreshHash: sha256(generateToken()),
    ip: '127.0.0.1',
    userAgent: 'Firefox/1 Windows',
    ...opening,
  })
  return { token }
}

/** A new resident of the company who opened the link of an invitation to the portal and chose a password. */
export async function acceptPortalInvitation(
  server: TestServer,
  admin: { token: string },
  email: string,
): Promise<CallCredentials & { userId: string }> {
  const name = { firstName: 'Lou', lastName: 'Petit' }
  await call(server, users.invite, { body: { ...name, email, role: 'client' } }, admin)
  const token = await waitUntil(async () => {
    const [mail] = await listMailsTo(server, email)
    return /\/login\?invitation=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  })
  const { body } = await call(server, auth.acceptInvitation, {
    params: { token },
    body: { ...name, password: PASSWORD },
  })
  return { token: body.token, userId: body.user.id }
}

/** How the session of a token was opened, and for which company. */
export async function findSessionOrigin({ db }: TestServer, token: string) {
  const [row] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, sha256(token)))
  return row && { with: row.openedWith, for: row.openedFor, connection: row.ssoConnectionId }
}

const CLIENT_SECRET = 'un-secret-d-essai-de-quarante-caracteres'

/** A real provider for a connection that `makeSsoConnection` made. */
export async function connectOidcProvider({ db, deps }: TestServer, companyId: number, id: string) {
  const provider = await startOidcProvider(
    'voisol',
    CLIENT_SECRET,
    `http://localhost/api/sso/in/${companyId}/${id}/callback`,
  )
  const clientSecret = deps.secrets.seal(CLIENT_SECRET, getSsoSealContext({ companyId, id }, 'secret'))
  await db
    .update(ssoConnections)
    .set({ issuer: provider.issuer, clientId: 'voisol', clientSecret })
    .where(eq(ssoConnections.id, id))
  return provider
}

/** An administrator of the company created by its directory (SCIM). */
export async function makeDirectoryUser(
  server: TestServer,
  admin: { token: string; companyId: number },
  connectionId: string,
  email: string,
): Promise<string> {
  const { body } = await call(server, sso.scimToken, { params: { id: connectionId } }, admin)
  const made = await server.app.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      externalId: 'e-9',
      name: { givenName: 'Ada', familyName: 'Morel' },
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
    }),
  })
  const { id } = made.json() as { id: string } // SCIM returns what it created
  await server.db
    .update(memberships)
    .set({ role: 'admin' })
    .where(and(eq(memberships.userId, id), eq(memberships.companyId, admin.companyId)))
  return id
}
