import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth } from '@voisol/contract/auth'
import { connections } from '@voisol/contract/connections'
import { users as endpoints } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { listMailsTo, waitForLink, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { makeSsoConnection } from '../../../../test/sso-flow.ts'
import { sessions, ssoPeople, throttles, users } from '../../../db/schema/index.ts'
import { createMailCatcher } from '../../../integrations/mail/catcher.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'

const server = useServer()
const folder = mkdtempSync(join(tmpdir(), 'voisol-hostile-'))
const NEW = 'des panneaux sur la grange'
let hostile: Awaited<ReturnType<typeof makeUser>>
let ownServer: Awaited<ReturnType<typeof createMailCatcher>>
let count = 0

/** Subject of the connection test, the only mail that this server may receive. */
const TRIAL = 'Essai de votre expéditeur'
const readOwnSubjects = async () => (await ownServer.messages()).map(({ subject }) => subject)

/** A company that sends its mail through its own server, and can therefore read it. */
beforeAll(async () => {
  ownServer = await createMailCatcher(folder)
  server.deps.outside = createOutboundClient({ inner: true, txt: async () => [] })
  hostile = await makeUser(server.db)
  const { hostname: host, port } = new URL(ownServer.url)
  const settings = { host, port, encryption: 'starttls', sender: 'contact@exemple.fr', senderName: 'Les Toits' }
  const { body } = await call(server, connections.create, { body: { kind: 'smtp', name: 'Nous', settings } }, hostile)
  expect(body.state).toBe('active')
})
beforeEach(async () => void (await server.db.delete(throttles)))
afterAll(async () => {
  await ownServer.close()
  rmSync(folder, { recursive: true })
})

/** An administrator of another company who signs in by SSO and has no password. */
async function makeProviderUser() {
  const victim = await makeUser(server.db, { email: `u${++count}@bravo.example` })
  await server.db.update(users).set({ passwordHash: null, passwordLong: null }).where(eq(users.id, victim.id))
  await server.db.delete(sessions).where(eq(sessions.userId, victim.id))
  return victim
}

const NAMES = { firstName: 'Lou', lastName: 'Petit' }
async function invite(email: string): Promise<string> {
  const invited = await call(server, endpoints.invite, { body: { email, ...NAMES, role: 'client' } }, hostile)
  expect(invited.status).toBe(200)
  return waitForLink(server, email, 'invitation')
}
const accept = (token: string, password = PASSWORD) =>
  call(server, auth.acceptInvitation, { params: { token }, body: { ...NAMES, password } })
const readHash = async (id: string) =>
  (await server.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash ?? null

describe('a company with a mail server of its own', () => {
  test('notifies its administrators of the new server through the installation’s own sender', async () => {
    const mails = await waitForMails(server, hostile.email)
    expect(mails.map(({ subject }) => subject)).toContain('Serveur d’envoi «\u00a0Nous\u00a0» enregistré')
    expect(await readOwnSubjects()).toEqual([TRIAL])
  })

  test('does not send invitations, which contain a token, through its own server', async () => {
    await invite('nouvelle@exemple.fr')
    expect(await listMailsTo(server, 'nouvelle@exemple.fr')).toHaveLength(1)
    expect(await readOwnSubjects()).toEqual([TRIAL])
  })
})

describe('the invitation of an account without a password', () => {
  test.each(['belongs to another company', 'is only known to a provider'])(
    'that %s, sets no password: the holder of the link must use the password reset',
    async (which) => {
      const victim = await makeProviderUser()
      if (which === 'is only known to a provider') {
        const { companyId } = await makeUser(server.db)
        const { id: connectionId } = await makeSsoConnection(server, { companyId }, `bravo${count}.example`)
        await server.db.insert(ssoPeople).values({ companyId, connectionId, userId: victim.id, subject: 's' })
        await server.db.execute(`delete from memberships where user_id = '${victim.id}'`)
      }
      const token = await invite(victim.email)
      const { status, body } = await accept(token, 'le secret de l’attaquant')
      expect({ status, message: body.message }).toEqual({
        status: 409,
        message: expect.stringContaining('«\u00a0Mot de passe oublié\u00a0»'),
      })
      expect(await readHash(victim.id)).toBeNull()
      expect(await server.db.$count(sessions, eq(sessions.userId, victim.id))).toBe(0)
      await call(server, auth.forgotPassword, { body: { email: victim.email } })
      const reset = await waitForLink(server, victim.email, 'reset')
      expect((await call(server, auth.resetPassword, { body: { token: reset, password: NEW } })).status).toBe(200)
      expect((await accept(token, 'le secret de l’attaquant')).status).toBe(401)
      expect((await accept(token, NEW)).body.user).toMatchObject({ id: victim.id, companyId: hostile.companyId })
    },
  )

  test('that was never used sets its first password', async () => {
    const token = await invite('premiere@exemple.fr')
    expect((await accept(token)).body.user).toMatchObject({ email: 'premiere@exemple.fr' })
  })
})
