import { eq } from 'drizzle-orm'
import { Secret } from 'otpauth'
import { expect, test, vi } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { recoveryCodes, signIns, users } from '../../../db/schema/index.ts'
import { buildTotp, checkSecondFactorCode, getTotpSealContext, hashRecoveryCode } from './second-factor.ts'

const server = useServer()
const STEP = 30_000
const NOW = Date.parse('2026-03-29T00:59:47Z')

async function account() {
  const { id } = await makeUser(server.db)
  const secret = new Secret({ size: 20 }).base32
  const totpSecret = server.deps.secrets.seal(secret, getTotpSealContext(id))
  await server.db.update(users).set({ totpSecret }).where(eq(users.id, id))
  await server.db.delete(signIns).where(eq(signIns.userId, id))
  const code = (steps: number) => buildTotp(secret, '').generate({ timestamp: NOW + steps * STEP })
  const check = (given: string) => checkSecondFactorCode(server.db, server.deps.secrets, { id, totpSecret }, given)
  return { id, code, check }
}

test('a code is valid one step before and after its own, once, and never before the last used one', async () => {
  vi.setSystemTime(NOW)
  const { code, check } = await account()
  expect([await check(code(-2)), await check(code(2))]).toEqual([false, false])
  expect([await check(code(-1)), await check(code(-1))]).toEqual([true, false])
  expect([await check(code(1)), await check(code(0)), await check(code(1))]).toEqual([true, false, false])
  vi.useRealTimers()
})

test('a recovery code is valid once and for its owner only', async () => {
  const [owner, other] = [await account(), await account()]
  await server.db.insert(recoveryCodes).values({ userId: owner.id, codeHash: hashRecoveryCode('abcd-efgh-jkmn') })
  expect(await other.check('abcd-efgh-jkmn')).toBe(false)
  expect([await owner.check('ABCD EFGH JKMN'), await owner.check('abcd-efgh-jkmn')]).toEqual([true, false])
})
