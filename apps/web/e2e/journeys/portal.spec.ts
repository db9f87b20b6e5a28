import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, dayOf, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import {
  DEMO_EMAILS,
  DEMO_PASSWORD,
  expectAccessible,
  expectNoOverflow,
  trackRequests,
  waitUntilIdle,
} from '../fixtures.ts'
import { buildPlantDraft, setUpSellerWithDebit } from './billing-desk.ts'
import { keyboardDriver } from './hands.ts'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  type Person,
  readMailedLink,
  signIn,
  TEST_PASSWORD,
  test,
} from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const LAST = addDays(TODAY, -1)
const FIRST = addDays(TODAY, -3)
const PLANT = '19125759640100'
const MINE = '19125759640110'
const THEIRS = '19125759640111'
/** Steady powers: the 600 W of the roof are shared by what each draws. */
const WATTS = { [PLANT]: 600, [MINE]: 400, [THEIRS]: 800 }

const curves = () => {
  const prms = Object.keys(WATTS).map((prm) => `${prm} (W)`)
  const stamps = listDays(FIRST, TODAY).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => new Date((dayStart(day) + at * 15) * 60_000).toISOString()),
  )
  return [`Début;${prms.join(';')}`, ...stamps.map((stamp) => [stamp, ...Object.values(WATTS)].join(';'))].join('\n')
}

const read = async (request: APIRequestContext, who: Person, path: string) =>
  (await request.get(path, { headers: buildBearerHeader(who) })).json()

async function settle(request: APIRequestContext, admin: Person, path: string, status: string) {
  await expect.poll(async () => (await read(request, admin, path)).status, { timeout: 30_000 }).toBe(status)
}

/** An operation of a roof and two homes, with three days of readings, shared. */
async function share(request: APIRequestContext, admin: Person, email: string) {
  const headers = buildBearerHeader(admin)
  const home = { kind: 'person', subscribedVa: 6000, startsOn: FIRST }
  const participants = [
    buildPlantDraft(PLANT, FIRST),
    { ...home, firstName: 'Camille', lastName: 'Durand', email, prm: MINE },
    { ...home, firstName: 'Inès', lastName: 'Moreau', prm: THEIRS },
  ]
  const key = { method: 'default', shares: [] }
  const data = { name: 'Les Jardins', startsOn: FIRST, unitPrice: 1250, participants, key }
  const created = await request.post('/api/acc-operations', { headers, data })
  expect(created.status()).toBe(200)
  const operation = await created.json()
  const status = { status: 'active', version: operation.version }
  await request.post(`/api/acc-operations/${operation.id}/status`, { headers, data: status })

  const octets = { ...headers, 'content-type': 'application/octet-stream' }
  const sent = await request.post('/api/curve-imports?name=jours.csv', { headers: octets, data: Buffer.from(curves()) })
  const file = `/api/curve-imports/${(await sent.json()).id}`
  await settle(request, admin, file, 'ready')
  await request.post(`${file}/commit`, { headers })
  await settle(request, admin, file, 'done')

  const days = { from: FIRST, to: TODAY, kind: 'provisional' }
  const run = await request.post(`/api/acc-operations/${operation.id}/allocation-runs`, { headers, data: days })
  await settle(request, admin, `/api/allocation-runs/${(await run.json()).id}`, 'done')
  await setUpSellerWithDebit({ request, admin }, operation.id, FIRST)
}

/** Camille, invited from her own sheet, so that her meter is hers in the portal. */
async function enter(request: APIRequestContext, admin: Person, email: string): Promise<Person> {
  const { items } = await read(request, admin, '/api/participants?q=Durand')
  await confirmAddress(request, admin)
  await request.post(`/api/participants/${items[0].id}/invitation`, { headers: buildBearerHeader(admin) })
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const names = { firstName: 'Camille', lastName: 'Durand' }
  const answer = await request.post(`${path}/accept`, { data: { ...names, password: TEST_PASSWORD } })
  expect(answer.status()).toBe(200)
  return {
    email,
    password: TEST_PASSWORD,
    token: (await answer.json()).token,
    firstName: 'Camille',
    companyId: admin.companyId,
  }
}

/** At the first visit: one choice made, the others left open, and never asked again here. */
async function agree(page: Page) {
  await expect(page.getByText('À quoi vos mesures peuvent-elles servir')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await keyboardDriver.press(page.getByRole('checkbox', { name: /^Collecte de mes mesures/ }))
  await keyboardDriver.press(page.getByRole('button', { name: 'Enregistrer mes choix' }))
  await expect(page.getByText('À quoi vos mesures peuvent-elles servir')).toHaveCount(0)
  await page.reload()
}

/** Her account, and her name written out under the text. */
async function signs(page: Page) {
  await page.goto('/client-portal/profile')
  await keyboardDriver.press(page.getByRole('button', { name: 'Signer un mandat pour École Prévert' }))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'Texte du mandat' })).toContainText('FR72ZZZ123456')
  await keyboardDriver.write(dialog.getByLabel('Titulaire du compte'), 'Camille Durand')
  await keyboardDriver.write(dialog.getByLabel('IBAN'), 'FR76 3000 6000 0112 3456 7890 188')
  await keyboardDriver.write(dialog.getByLabel('Votre signature'), 'Camille Durand')
  await keyboardDriver.press(dialog.getByRole('button', { name: 'Signer le mandat' }))
  await expect(dialog.getByLabel('IBAN')).toHaveAccessibleDescription(/IBAN/)
  await expectAccessibleAndNoOverflow(page)
  await keyboardDriver.write(dialog.getByLabel('IBAN'), 'FR76 3000 6000 0112 3456 7890 189')
  await keyboardDriver.press(dialog.getByRole('button', { name: 'Signer le mandat' }))
  await expect(getToast(page)).toHaveText(/Mandat signé/)
  await expect(page.getByText(/Compte •••• 0189, signé le/)).toBeVisible()
}

test('on a telephone, by keyboard: a client reads her own energy, nothing of a neighbour’s, and signs a mandate', async ({
  browser,
  request,
  admin,
}) => {
  const email = `camille-${Date.now()}@exemple.fr`
  await share(request, admin, email)
  const camille = await enter(request, admin, email)
  const page = await openAs(browser, camille)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/client-portal')
  await agree(page)
  await expect(page.getByText(/^50\s% de votre électricité a été locale/)).toBeVisible()
  await keyboardDriver.write(page.getByLabel(/^Prix du kWh de votre fournisseur/), '20')
  await keyboardDriver.press(page.getByRole('button', { name: 'Calculer mes économies' }))
  const saved = page.getByRole('region', { name: 'Économies' })
  await expect(page.getByText(/locale .*, \d,\d\d\s€ de moins que chez votre fournisseur seul\.$/)).toBeVisible()
  await expect(saved).toContainText(/× \(20\sc€\/kWh − 12,5\sc€\/kWh\)/)
  await expect(page.getByText(/Lancez vos appareils entre/)).toBeVisible()
  await expect(page.getByText(/d’après les 3\sderniers jours connus/)).toBeVisible()
  await expect(page.getByRole('figure', { name: /^Jour par jour/ })).toBeVisible()
  // Each figure stands there once.
  const told = await page.locator('main dl dt').allInnerTexts()
  expect(told.length).toBeGreaterThan(2)
  expect(told.filter((name, at) => told.indexOf(name) !== at)).toEqual([])
  await expectAccessibleAndNoOverflow(page)
  const nav = page.getByRole('navigation', { name: 'Navigation principale' })
  await expect(nav.getByRole('link', { name: 'Production' })).toHaveCount(0)

  await keyboardDriver.press(nav.getByRole('link', { name: 'Consommation' }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ma consommation')
  await page.goto(`/client-portal/consumption?unit=day&from=${LAST}`)
  const figures = page.getByLabel('Chiffres de la période')
  await expect(figures).toContainText((stepsOfDay(LAST, 15) / 10).toFixed(1).replace('.', ','))
  await page.goto('/client-portal')
  await keyboardDriver.press(page.getByRole('link', { name: /^Pourquoi ce chiffre/ }))
  await expect(page.getByText(/pour que personne ne soit reconnu/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.goto(`/client-portal/consumption?unit=day&from=${LAST}`)
  await expect(page.getByText('à partir de cinq autres membres')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await keyboardDriver.press(page.getByRole('button', { name: 'Télécharger' }))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    keyboardDriver.press(page.getByRole('menuitem', { name: 'CSV pour Excel' })),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('0,1')
  expect(text).not.toContain('0,2;0,2')

  await page.goto('/client-portal/impact')
  await expect(page.getByText(/Source des facteurs\s: ADEME/)).toBeVisible()
  await expect(page.getByText('seul dans une voiture thermique')).toBeVisible()
  await keyboardDriver.press(page.getByRole('radio', { name: 'Jour par jour' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('figure', { name: 'CO₂ évité depuis votre entrée' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.goto('/client-portal/production')
  await expect(page.getByText('Vous ne produisez pas dans cette opération')).toBeVisible()
  await signs(page)

  const { items } = await read(request, admin, '/api/points?q=Moreau')
  const other: string = items[0].id
  expect((await request.get(`/api/points/${other}`, { headers: buildBearerHeader(camille) })).status()).toBe(404)
  const asked = `/api/energy/summary?from=${FIRST}&to=${TODAY}&pointId=${other}`
  expect((await request.get(asked, { headers: buildBearerHeader(camille) })).status()).toBe(404)
  for (const path of ['', '/consumption', '/production', '/impact']) {
    await page.goto(`/client-portal${path}?point=${other}&unit=day&from=${LAST}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await waitUntilIdle(page)
    await expect(page.getByText(/Moreau|19\s?125\s?759\s?640\s?111/)).toHaveCount(0)
  }
})

test('somebody without a meter is told why the portal is empty', async ({ browser, request, admin }) => {
  const member = await inviteAndAccept(request, admin, { firstName: 'Zoé', lastName: 'Blanc', role: 'client' })
  const page = await openAs(browser, member)
  for (const path of ['', '/consumption', '/production', '/impact']) {
    await page.goto(`/client-portal${path}`)
    await expect(page.getByText('Votre compteur n’est pas encore rattaché')).toBeVisible()
    await expectAccessibleAndNoOverflow(page)
  }
})

test('on a phone the bar holds five entries, and « Plus » the others', async ({ page, signedIn }) => {
  await signedIn('client')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/client-portal')
  const bar = page.getByRole('navigation', { name: 'Navigation principale' })
  await expect(bar.getByRole('link')).toHaveText(['Accueil', 'Consommation', 'Production', 'Factures'])
  await bar.getByRole('button', { name: 'Plus' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Impact',
    'Messages',
    'Mes questions',
    'Notifications',
    'Profil',
  ])
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('menuitem', { name: 'Profil' }).click()
  await expect(page).toHaveURL('/client-portal/profile')
})

test('without a network the portal opens on the last figures and says how old they are; signing out forgets them', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'allow', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto('/login?redirect=%2Fclient-portal')
  await signIn(page, { email: DEMO_EMAILS.client, password: DEMO_PASSWORD })
  const sentence = await page.getByText(/% de votre électricité a été locale/).textContent()
  const state = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/client-portal'))?.active?.state)
  await expect.poll(state).toBe('activated')
  await context.setOffline(true)
  await page.goto('/client-portal')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vous êtes hors connexion')
  await expect(page.getByText(sentence ?? '')).toBeVisible()
  await expect(page.getByRole('status')).toContainText(/gardés sur cet appareil le/)
  await expectAccessible(page)
  await expectNoOverflow(page)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept.filter((path) => path.startsWith('/api') || path.startsWith('/client-portal'))).toEqual([])

  // The page comes back by itself, though the first thing it asks for still finds nothing.
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('nobody keeps the page')
  await worker.evaluate(() => {
    const real = globalThis.fetch
    globalThis.fetch = () => {
      globalThis.fetch = real
      return Promise.reject(new TypeError('no route yet'))
    }
  })
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Mon compte' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Déconnexion' }).press('Enter')
  await expect(page).toHaveURL('/login?logout=true')
  expect(await page.evaluate(() => localStorage.getItem('voisol_last_figures'))).toBeNull()
  await context.setOffline(true)
  await page.goto('/client-portal')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vous êtes hors connexion')
  await expect(page.getByText(/de votre électricité/)).toHaveCount(0)
  await context.close()
})

test('with texts twice as large nothing is lost or sticks out', async ({
  playwright,
  launchOptions,
  baseURL,
  tokens,
}) => {
  // As a reader sets it in their browser: what the layout is measured in grows with it.
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const page = await browser.newPage({
    baseURL: baseURL ?? '',
    serviceWorkers: 'block',
    viewport: { width: 780, height: 1024 },
  })
  trackRequests(page)
  await page.addInitScript((token) => localStorage.setItem('token', token), tokens.client)
  for (const path of ['', '/consumption', '/production', '/impact', '/invoices', '/words', '/profile']) {
    await page.goto(`/client-portal${path}`)
    await waitUntilIdle(page)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    await expectNoOverflow(page)
  }
  await browser.close()
})
