import { auth } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import type { ReauthenticationProof } from '@voisol/contract/reauthentication'
import { eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { sessions, throttles, users } from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { requireReauthentication } from './reauthentication.ts'

const ORIGIN = 'https://energie.exemple.fr'
const server = useServer({ PUBLIC_URL: ORIGIN })
beforeEach(async () => void (await server.db.delete(throttles)))

type As = { token: string }
const start = (as: As, body: object) => call(server, auth.startSecondFactor, { body }, as)
const challenge = async () => String((await call(server, passkeys.challenge)).body.challenge)
const isPrepared = async (id: string) =>
  (await server.db.select().from(users).where(eq(users.id, id)))[0]?.totpSecret !== null

async function withPasskey() {
  const user = await makeUser(server.db)
  const key = createAuthenticator(ORIGIN)
  const { body } = await call(server, passkeys.prepare, { body: { password: PASSWORD } }, user)
  const credential = key.create(body.challenge)
  await call(server, passkeys.add, { body: { name: 'Téléphone', credential } }, user)
  return { user, key }
}

describe('setting up a second factor', () => {
  test('without proof or with a wrong password is refused on its field and prepares nothing', async () => {
    const user = await makeUser(server.db)
    expect((await start(user, {})).body).toMatchObject({ status: 422, issues: [{ path: 'password' }] })
    expect((await start(user, { password: 'faux' })).body).toMatchObject({
      status: 422,
      issues: [{ path: 'password' }],
    })
    expect(await isPrepared(user.id)).toBe(false)
    expect((await start(user, { password: PASSWORD })).status).toBe(200)
    expect(await isPrepared(user.id)).toBe(true)
  })

  test('with a session alone cannot be used to guess the password', async () => {
    const user = await makeUser(server.db)
    for (let time = 0; time < 5; time++) expect((await start(user, { password: 'faux' })).status).toBe(422)
    expect((await start(user, { password: PASSWORD })).status).toBe(429)
  })

  test('with a passkey of the account is allowed once per assertion', async () => {
    const { user, key } = await withPasskey()
    const passkey = key.get(await challenge())
    expect((await start(user, { passkey })).status).toBe(200)
    expect((await start(user, { passkey })).body).toMatchObject({ status: 422, issues: [{ path: 'passkey' }] })
  })

  test('with a passkey of another account is refused', async () => {
    const { user } = await withPasskey()
    const { key: foreign } = await withPasskey()
    const answer = await start(user, { passkey: foreign.get(await challenge()) })
    expect(answer.body).toMatchObject({ status: 422, issues: [{ path: 'passkey' }] })
    expect(await isPrepared(user.id)).toBe(false)
  })
})

describe('a session opened by SSO', () => {
  async function prove(minutes: number, proof: ReauthenticationProof = {}) {
    const user = await makeUser(server.db)
    await server.db
      .update(sessions)
      .set({
        openedWith: 'sso',
        openedFor: user.companyId,
        ssoConnectionId: crypto.randomUUID(),
        createdAt: sql`now() - make_interval(mins => ${minutes})`,
      })
      .where(eq(sessions.userId, user.id))
    const actor = await authenticateSession(server.db, user.token)
    const { aside, config } = server.deps
    const request = { headers: {}, protocol: 'https', host: 'energie.exemple.fr' } as FastifyRequest // only its origin is read
    return transaction(server.db, (db) => requireReauthentication({ db, aside, actor, config, request }, proof))
  }

  test('counts as authentication for fifteen minutes', async () => {
    await expect(prove(14)).resolves.toMatchObject({ email: expect.stringContaining('@') })
  })

  test('older than fifteen minutes must sign in again', async () => {
    await expect(prove(16)).rejects.toMatchObject({ code: 'forbidden', message: expect.stringMatching(/récente/) })
  })

  test('older than fifteen minutes may use the password instead', async () => {
    await expect(prove(16, { password: PASSWORD })).resolves.toMatchObject({ email: expect.stringContaining('@') })
    await expect(prove(1, { password: 'faux' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
