import { auth } from '@voisol/contract/auth'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForLockWait } from '../../../../test/locks.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { sessions, throttles, users } from '../../../db/schema/index.ts'
import { sha256 } from '../../../secrets.ts'
import { findAccountByEmail } from './accounts.ts'
import { confirmUserAddress } from './email-verification.ts'
import { verifyPassword } from './passwords.ts'
import { openSession } from './sessions.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const NEW = 'des panneaux sur la grange'
// The session only reads the address and the browser of the request.
const REQUEST = { ip: '127.0.0.1', headers: { 'user-agent': 'Firefox/1 Windows' } } as unknown as FastifyRequest
type User = Awaited<ReturnType<typeof makeUser>>

const countSessions = ({ id }: User) => server.db.$count(sessions, eq(sessions.userId, id))

const CHANGES: [string, (user: User) => Promise<void>][] = [
  [
    'the link of a new password',
    async ({ email }) => {
      await call(server, auth.forgotPassword, { body: { email } })
      const token = await waitForLink(server, email, 'reset')
      expect((await call(server, auth.resetPassword, { body: { token, password: NEW } })).status).toBe(200)
    },
  ],
  [
    'a change by its owner',
    async ({ token }) => {
      const body = { current: PASSWORD, password: NEW }
      expect((await call(server, auth.changePassword, { body }, { token })).status).toBe(200)
    },
  ],
  [
    'the first confirmation of the address',
    async ({ id }) => {
      await server.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id))
      await transaction(server.db, (tx) => confirmUserAddress(tx, id, { password: false }))
    },
  ],
]

test.each(CHANGES)('a sign-in whose password was checked before %s opens nothing', async (_, change) => {
  const user = await makeUser(server.db)
  let before = -1
  const signIn = transaction(server.db, async (tx) => {
    const found = await findAccountByEmail(tx, user.email)
    if (!found) throw new Error('no account')
    expect(await verifyPassword(found.passwordHash, PASSWORD)).toBe(true)
    await change(user)
    before = await countSessions(user)
    await openSession(tx, REQUEST, { user: found, companyId: user.companyId, openedWith: 'password' })
  })
  await expect(signIn).rejects.toMatchObject({ code: 'credentials' })
  expect(await countSessions(user)).toBe(before)
})

test.each(CHANGES)('a session being opened when %s begins is waited for and ended', async (_, change) => {
  const user = await makeUser(server.db)
  let changed: Promise<void> = Promise.resolve()
  const opened = await transaction(server.db, async (tx) => {
    const found = await findAccountByEmail(tx, user.email)
    if (!found) throw new Error('no account')
    const { token } = await openSession(tx, REQUEST, { user: found, companyId: user.companyId, openedWith: 'password' })
    changed = change(user)
    await waitForLockWait(server)
    return token
  })
  await changed
  expect(await server.db.$count(sessions, eq(sessions.tokenHash, sha256(opened)))).toBe(0)
})
