import type { APIRequestContext } from '@playwright/test'
import { addDays, dayOf, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { waitUntilIdle } from '../fixtures.ts'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const FIRST = addDays(TODAY, -3)
const [ROOF, HOME, BATTERY] = ['19125759680100', '19125759680110', '19125759680111']
const within = (at: number, from: number, to: number) => at >= from && at < to

/** It charges at noon and releases in the evening. */
const curves = () => {
  const rows = listDays(FIRST, TODAY).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
      const stamp = new Date((dayStart(day) + at * 15) * 60_000).toISOString()
      const noon = within(at, 36, 60)
      return [stamp, noon ? 1_900 : 0, 700, noon ? 500 : 0, within(at, 72, 88) ? 400 : 0].join(';')
    }),
  )
  const columns = [`${ROOF} (W)`, `${HOME} (W)`, `${BATTERY} consommation (W)`, `${BATTERY} production (W)`]
  return [`Début;${columns.join(';')}`, ...rows, ''].join('\n')
}

const read = async (request: APIRequestContext, who: Person, path: string) =>
  (await request.get(path, { headers: buildBearerHeader(who) })).json()

async function settle(request: APIRequestContext, admin: Person, path: string, status: string) {
  await expect.poll(async () => (await read(request, admin, path)).status, { timeout: 30_000 }).toBe(status)
}

async function share(request: APIRequestContext, admin: Person, email: string) {
  const headers = buildBearerHeader(admin)
  const roof = { kind: 'organisation', name: 'École Prévert', direction: 'production', peakWatts: 9000 }
  const home = { kind: 'person', firstName: 'Inès', lastName: 'Moreau', subscribedVa: 6000 }
  const battery = { kind: 'person', firstName: 'Camille', lastName: 'Durand', email, storage: true }
  const participants = [
    { ...roof, prm: ROOF, startsOn: FIRST },
    { ...home, prm: HOME, startsOn: FIRST },
    { ...battery, prm: BATTERY, startsOn: FIRST },
  ]
  const data = { name: 'Le Quai', startsOn: FIRST, participants, key: { method: 'default', shares: [] } }
  const created = await request.post('/api/acc-operations', { headers, data })
  expect(created.status()).toBe(200)
  const operation = await created.json()
  const octets = { ...headers, 'content-type': 'application/octet-stream' }
  const sent = await request.post('/api/curve-imports?name=jours.csv', { headers: octets, data: Buffer.from(curves()) })
  const file = `/api/curve-imports/${(await sent.json()).id}`
  await settle(request, admin, file, 'ready')
  await request.post(`${file}/commit`, { headers })
  await settle(request, admin, file, 'done')
  const days = { from: FIRST, to: TODAY, kind: 'provisional' }
  const run = await request.post(`/api/acc-operations/${operation.id}/allocation-runs`, { headers, data: days })
  await settle(request, admin, `/api/allocation-runs/${(await run.json()).id}`, 'done')
}

async function enter(request: APIRequestContext, admin: Person, email: string) {
  const { items } = await read(request, admin, '/api/participants?q=Durand')
  await confirmAddress(request, admin)
  await request.post(`/api/participants/${items[0].id}/invitation`, { headers: buildBearerHeader(admin) })
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName: 'Camille', lastName: 'Durand', password: TEST_PASSWORD }
  const answer = await request.post(`${path}/accept`, { data })
  expect(answer.status()).toBe(200)
  return { token: String((await answer.json()).token) }
}

/** The screens that tell of one's energy, and what each is headed by. */
const TOLD = [
  { path: '/client-portal', says: /de la charge de votre batterie est venue du soleil de l’opération/ },
  { path: '/client-portal/consumption', says: /Charge de ma batterie/ },
  { path: '/client-portal/production', says: /Décharge de ma batterie/ },
  { path: '/client-portal/impact', says: /Votre batterie a restitué/ },
]

test('to a client whose only point is a battery nothing is called a consumption or a production', async ({
  browser,
  request,
  admin,
}) => {
  const email = `camille-${Date.now()}@exemple.fr`
  await share(request, admin, email)
  const page = await openAs(browser, await enter(request, admin, email))
  await page.goto('/client-portal')
  await page.getByRole('checkbox', { name: /^Collecte de mes mesures/ }).check()
  await page.getByRole('button', { name: 'Enregistrer mes choix' }).click()
  await expect(page.getByText('À quoi vos mesures peuvent-elles servir')).toHaveCount(0)
  for (const { path, says } of TOLD) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(says)
    await waitUntilIdle(page)
    const lines = [await page.title(), ...(await page.locator('body').innerText()).split('\n')]
    expect(lines.filter((line) => /consomm|produ|(vos|mes) panneaux|surplus/i.test(line))).toEqual([])
    await expectAccessibleAndNoOverflow(page)
  }
})
