import { seo } from '@voisol/contract/seo'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { createFakeWebBuild, makePublishedContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { redirects } from '../../../db/schema/index.ts'

const server = useServer()
let token = ''
beforeAll(async () => {
  token = (await makeSiteAdmin(server.db)).token
  server.app.web = createFakeWebBuild().web
  await makePublishedContent(server.db, 'article', 'partager-son-toit')
})
beforeEach(async () => void (await server.db.delete(redirects)))
const ARTICLE = '/resources/actualites/partager-son-toit'

const add = (from: string, to: string, permanent = true) =>
  call(server, seo.addRedirect, { body: { from, to, permanent } }, { token })
const refusal = async (from: string, to: string) => (await add(from, to)).body.issues?.[0]

test('one is added, listed and removed', async () => {
  const added = await add('/ancienne/', ARTICLE)
  expect(added.body).toMatchObject({ from: '/ancienne', to: ARTICLE, permanent: true, hits: 0, lastHitAt: null })
  await add('/promo', '/platform', false)
  const list = async (query = {}) => (await call(server, seo.redirects, { query }, { token })).body
  expect((await list()).items.map(({ from }: { from: string }) => from)).toEqual(['/ancienne', '/promo'])
  expect((await list({ q: 'platform' })).total).toBe(1)
  const remove = () => call(server, seo.removeRedirect, { params: { id: added.body.id } }, { token })
  expect((await remove()).status).toBe(200)
  expect((await remove()).status).toBe(404)
  expect((await list()).total).toBe(1)
})

test('nobody is led in a circle, over two leaps, away from a page or to nowhere', async () => {
  await add('/b', '/platform')
  expect(await refusal('/c', '/c')).toEqual({ path: 'to', message: 'Une adresse ne peut pas mener à elle-même.' })
  expect((await refusal('/b', '/')).message).toContain('/b mène déjà à /platform')
  expect(await refusal('/a', '/b')).toEqual({
    path: 'to',
    message: '/b mène déjà à /platform\u00a0: indiquez /platform comme adresse d’arrivée.',
  })
  expect((await refusal('/platform', '/b')).message).toContain('se renverraient')
  for (const from of ['/home', '/dashboard', ARTICLE]) expect(await refusal(from, '/')).toMatchObject({ path: 'from' })
  for (const from of ['/api/x', '/assets/x.js', '/healthz', '/robots.txt'])
    expect((await refusal(from, '/')).message).toBe(`L’adresse ${from} sert au fonctionnement du site.`)
  expect(await refusal('/a', '/nulle-part')).toEqual({
    path: 'to',
    message: 'Il n’y a pas de page à l’adresse /nulle-part.',
  })
  for (const to of ['//ailleurs.fr', 'https://ailleurs.fr', 'javascript:alert(1)'])
    expect(await refusal('/a', to)).toMatchObject({ path: 'to' })
})

test('two that would make a circle, added at once: one is refused', async () => {
  server.app.web = undefined
  const answers = await Promise.all([add('/x', '/y'), add('/y', '/x')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  server.app.web = createFakeWebBuild().web
})

test('the same one twice at once: one stands', async () => {
  const answers = await Promise.all([add('/z', '/'), add('/z', '/'), add('/z', '/')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})
