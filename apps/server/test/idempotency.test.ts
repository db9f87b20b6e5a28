import { users } from '@voisol/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { useServer } from './server.ts'

const server = useServer()
let user: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  user = await makeUser(server.db)
})

const count = async (text: string, values: unknown[] = []) =>
  Number((await server.deps.db.$client.query(`select count(*) as n from ${text}`, values)).rows[0]?.n)

describe('F6: Idempotency-Key', () => {
  const invite = (email: string) => ({ email, firstName: 'Noé', lastName: 'Petit', role: 'client' })
  const send = (email: string, key: string, who = user) =>
    call(server, users.invite, { body: invite(email) }, { token: who.token, headers: { 'idempotency-key': key } })
  const made = (email: string) => count('users where email = $1', [email])
  const entries = (who = user) =>
    count("audit_entries where company_id = $1 and action = 'POST /api/users'", [who.companyId])

  test('a retry gets the same answer, and there is one effect', async () => {
    const who = await makeUser(server.db)
    const first = await send('noe@exemple.fr', 'key-of-noe-1', who)
    const again = await send('noe@exemple.fr', 'key-of-noe-1', who)
    expect(first.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect([await made('noe@exemple.fr'), await entries(who)]).toEqual([1, 1])
  })

  test('another body with the same key is refused', async () => {
    await send('lea@exemple.fr', 'key-of-lea-1')
    const other = await send('leo@exemple.fr', 'key-of-lea-1')
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-mismatch' } })
    expect(await made('leo@exemple.fr')).toBe(0)
  })

  test('20 parallel calls have one effect and get one answer', async () => {
    const who = await makeUser(server.db)
    const all = await Promise.all(Array.from({ length: 20 }, () => send('mia@exemple.fr', 'key-of-mia-1', who)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect([await made('mia@exemple.fr'), await entries(who)]).toEqual([1, 1])
  })

  test('keys of different callers are independent', async () => {
    const other = await makeUser(server.db)
    const one = await send('zoe@exemple.fr', 'key-of-zoe-1')
    const two = await send('zoe@exemple.fr', 'key-of-zoe-1', other)
    expect(two.status).toBe(200)
    expect(one.status).toBe(200)
    expect(await entries(other)).toBe(1)
    // The stored answer is still there for a retry, whoever used the same key since.
    expect(await send('zoe@exemple.fr', 'key-of-zoe-1')).toMatchObject({ status: 200, body: one.body })
  })

  test('a refused call does not use up the key', async () => {
    const refused = await call(
      server,
      users.invite,
      { body: {} },
      { token: user.token, headers: { 'idempotency-key': 'key-free-1' } },
    )
    expect(refused.status).toBe(422)
    expect((await send('ben@exemple.fr', 'key-free-1')).status).toBe(200)
  })

  test.each(['short', 'with space inside', 'x'.repeat(101)])('the key %j is refused', async (key) => {
    expect((await send('eve@exemple.fr', key)).status).toBe(422)
    expect(await made('eve@exemple.fr')).toBe(0)
  })

  test('the stored answer is encrypted in the database', async () => {
    await send('ida@exemple.fr', 'key-of-ida-1')
    const { rows } = await server.deps.db.$client.query("select reply from idempotency_keys where key = 'key-of-ida-1'")
    expect(rows[0].reply).not.toContain('ida@')
  })
})
