import { api } from '@voisol/contract'
import { Text } from '@voisol/contract/primitives'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'

const server = useServer()

test('private answers are not cached, however their address is written', async () => {
  const { token } = await makeUser(server.db)
  const headers = { authorization: `Bearer ${token}` }
  for (const url of ['/api/auth/me', '/%61pi/auth/me', '/api/%61uth/me', '/api/auth/me/', '/ap%69/auth/m%65?x=1']) {
    const answer = await server.app.inject({ url, headers })
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 200, 'no-store'])
  }
  for (const url of ['/%61pi/nothing', '/api/nothing', '/api/%'])
    expect((await server.app.inject({ url })).headers['cache-control'], url).toBe('no-store')
})

test('a name is a single line, whichever form it comes from', async () => {
  const admin = await makeUser(server.db)
  for (const bad of ['Ana\r\nBcc: x@y.fr', 'Ana\nRoux', 'Ana\u0007', 'Ana\u2028Roux', 'Ana\u007f'])
    expect(Text.safeParse(bad).success, JSON.stringify(bad)).toBe(false)
  for (const good of ['Ana Roux', 'L’Été — n° 3', ' Ana\n']) expect(Text.safeParse(good).success).toBe(true)
  const split = 'Ana\r\nBcc: x@y.fr'
  const invite = { email: 'a@exemple.fr', firstName: split, lastName: 'Roux', role: 'client' }
  const brand = { params: { companyId: admin.companyId }, body: { version: 0, companyName: split } }
  const form = {
    firstName: 'Ana',
    lastName: split,
    email: 'a@exemple.fr',
    companyName: 'x',
    password: 'un toit partagé au soleil',
  }
  const answers = [
    await call(server, api.users.invite, { body: invite }, admin),
    await call(server, api.whiteLabel.update, brand, admin),
    await call(server, api.auth.register, { body: form }),
    await call(server, api.participants.create, { body: { kind: 'organisation', name: split } }, admin),
    await call(server, api.roles.create, { body: { name: split, permissions: [] } }, admin),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
})

test('webhooks may use web ports, and those that the operator allowed', async () => {
  const admin = await makeUser(server.db)
  const create = (url: string) =>
    call(server, api.webhooks.create, { body: { url, events: ['participant.created'] } }, admin)
  for (const port of ['22', '25', '5432', '8443', '6379']) {
    const { status, body } = await create(`https://exemple.fr:${port}/x`)
    expect([status, body.issues?.[0].message]).toEqual([
      422,
      expect.stringContaining(`Le port ${port} n’est pas permis`),
    ])
  }
  expect((await create('https://exemple.fr:443/x')).status).not.toBe(422)
})
