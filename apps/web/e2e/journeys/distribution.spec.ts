import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const FIRST = '2025-10-06'
const AFTER = '2025-10-09'
const MONTH = 'unit=month&from=2025-10-01'
const PLANT = '19125759650100'
const CAMILLE = '19125759650110'
const MOREAU = '19125759650111'
/** Steady powers: by default the 600 W of the roof are shared by what each draws, 200 W and 400 W. */
const WATTS = [600, 400, 800]

const curves = () => {
  const stamps = listDays(FIRST, AFTER).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => new Date((dayStart(day) + at * 15) * 60_000).toISOString()),
  )
  const rows = stamps.map((stamp) => [stamp, ...WATTS].join(';'))
  return [`Début;${PLANT} (W);${CAMILLE} (W);${MOREAU} (W)`, ...rows, ''].join('\n')
}

/** The operation with its roof, then its two homes from a file. */
async function found(request: APIRequestContext, admin: Person, email: string) {
  const headers = buildBearerHeader(admin)
  const roof = { kind: 'organisation', name: 'École Prévert', label: 'Toit de l’école', direction: 'production' }
  const participants = [{ ...roof, prm: PLANT, peakWatts: 9000, startsOn: FIRST }]
  const key = { method: 'default', shares: [] }
  const accNumber = `ACC${String(Date.now()).slice(-8)}`
  const data = { name: 'Les Jardins de Prévert', accNumber, startsOn: '2025-10-01', unitPrice: 1250, participants, key }
  const created = await request.post('/api/acc-operations', { headers, data })
  expect(created.status()).toBe(200)
  const { id } = await created.json()
  const lines = [
    'Type;Prénom;Nom;E-mail;PRM;Sens;Puissance souscrite (kVA);Date d’entrée',
    `Personne;Camille;Durand;${email};${CAMILLE};Consommation;6;06/10/2025`,
    `Personne;Inès;Moreau;;${MOREAU};Consommation;6;06/10/2025`,
  ]
  const imported = await request.post(`/api/participants/import?name=voisins.csv&dryRun=false&operationId=${id}`, {
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    data: Buffer.from(lines.join('\n')),
  })
  expect((await imported.json()).created).toBe(2)
  const { version } = await (await request.get(`/api/acc-operations/${id}`, { headers })).json()
  const status = { status: 'active', version }
  expect((await request.post(`/api/acc-operations/${id}/status`, { headers, data: status })).status()).toBe(200)
  return String(id)
}

async function importCurves(page: Page, admin: Person, id: string) {
  await page.goto(`/companies/${admin.companyId}/operations/${id}/load-curves?onglet=imports`)
  const file = { name: 'octobre.csv', mimeType: 'text/csv', buffer: Buffer.from(curves()) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'journées ajoutées' })).toBeVisible()
}

/** The curves end on the third day: whoever closes the month all the same says why. */
async function allocate(page: Page, id: string) {
  await page.goto(`/acc-operations/${id}/energy-distribution?onglet=calculs&${MONTH}`)
  await page.getByRole('button', { name: 'Lancer un calcul' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lancer un calcul' })
  await expect(dialog.getByLabel('Premier jour')).toHaveValue('01/10/2025')
  await expect(dialog.getByLabel('Dernier jour')).toHaveValue('31/10/2025')
  await dialog.getByLabel(/^Définitif/).check()
  await expect(dialog.getByLabel(/^Estimer/)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Lancer le calcul définitif' }).click()
  const missing = dialog.getByRole('alert', { name: 'Données incomplètes' })
  await expect(missing).toContainText(`Camille Durand (${CAMILLE})`)
  await expect(missing).toContainText('23 jours, du 09/10/2025 au 31/10/2025')
  await dialog.getByLabel(/^Votre raison/).fill('Le mois commence : clôture d’essai, convenue avec les voisins.')
  await dialog.getByRole('button', { name: 'Confirmer malgré ces manques' }).click()
  await expect(page.getByText(/288\spas vérifiés, 0\sécart/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('ce que les consommateurs ont reçu et le surplus font exactement')).toBeVisible()
  await expect(page.getByText(/pas laissés de côté, jamais remplacés/)).toBeVisible()
  await expect(page.getByRole('region', { name: /^Confirmation/ })).toContainText('convenue avec les voisins')
}

async function takeFiles(page: Page) {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exporter par point' }).click()
  await page.getByRole('menuitem', { name: 'CSV pour Excel' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain(CAMILLE)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Télécharger les coefficients/ }).click()
  expect((await file).suggestedFilename()).toBe(`${PLANT}.csv`)
}

/** Three days of 600 W: 43,2 kWh, all of them shared. */
async function readResult(page: Page) {
  await page.getByRole('tab', { name: 'Résultat' }).click()
  const figures = page.getByRole('region', { name: 'Chiffres de la période' })
  await expect(figures).toContainText('43,2')
  await expect(figures).toContainText('100')
  await expect(page.getByRole('region', { name: 'Fiabilité des chiffres' })).toContainText('Définitif')
  const row = page.getByRole('table', { name: 'Répartition par point' }).getByRole('row').filter({ hasText: 'Camille' })
  await expect(row).toContainText(/14,4\skWh/)
  await page.getByText('Par classe temporelle').click()
  await expect(page.getByRole('columnheader', { name: 'HPB' })).toBeVisible()
  await expect(page.getByText('heures pleines, saison basse')).toBeVisible()
  await expect(page.getByRole('table', { name: /de chaque producteur/ })).toContainText(/28,8\skWh/)
}

/** Fixed shares give back what is not consumed; the draft made of them is adopted for the future. */
async function compareAndAdopt(page: Page) {
  await page.getByRole('tab', { name: 'Comparer' }).click()
  const methods = page.getByRole('table', { name: 'Méthodes comparées' })
  await expect(methods.locator('tbody tr')).toHaveCount(5)
  await expect(methods.locator('tbody tr').first()).toContainText('Dynamique par défautAujourd’hui')
  await page.getByRole('button', { name: 'Examiner Parts égales' }).click()
  const lines = page.getByRole('table', { name: /Parts égales/ })
  await expect(lines.getByRole('row').filter({ hasText: 'Camille' })).toContainText('Gagne')
  await expect(lines.getByRole('row').filter({ hasText: 'Moreau' })).toContainText('Perd')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Préparer une version avec cette méthode' }).click()
  await expect(page.getByRole('heading', { name: 'Version 2' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Parts égales' })).toBeChecked()
  await page.getByRole('radio', { name: 'Statique', exact: true }).check()
  await page.getByRole('button', { name: 'Répartir également' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'toute la production est répartie' })).toBeVisible()
  await page.getByLabel(/^Part de Camille/).fill('60')
  await expect(page.getByRole('status').filter({ hasText: /10\s% de trop/ })).toBeVisible()
  await page.getByLabel(/^Part de Camille/).fill('45')
  await page.getByRole('button', { name: 'Enregistrer les modifications' }).click()
  await expect(getToast(page)).toContainText('Version 2 enregistrée')
  await expect(page.getByText('Rien ne s’oppose à l’adoption')).toBeVisible()
  await page.getByRole('button', { name: 'Adopter cette version' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Adopter cette version' }).click()
  await expect(page.getByRole('navigation', { name: 'Versions de la clé' })).toContainText('À venir')
  await page.getByRole('link', { name: /^Version 1/ }).click()
  await expect(page.getByText('elle ne change plus')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
}

/** Camille, invited from her own sheet. */
async function enter(request: APIRequestContext, admin: Person, email: string) {
  const headers = buildBearerHeader(admin)
  const { items } = await (await request.get('/api/participants?q=Durand', { headers })).json()
  await confirmAddress(request, admin)
  await request.post(`/api/participants/${items[0].id}/invitation`, { headers })
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName: 'Camille', lastName: 'Durand', password: TEST_PASSWORD }
  const answer = await request.post(`${path}/accept`, { data })
  expect(answer.status()).toBe(200)
  return { token: String((await answer.json()).token) }
}

test('create an operation, import participants and curves, allocate, compare keys, read it as a client', async ({
  browser,
  page,
  request,
  admin,
}) => {
  test.slow() // the whole way, from an empty company to a client's screen
  const email = `camille-${Date.now()}@exemple.fr`
  const id = await found(request, admin, email)
  await importCurves(page, admin, id)
  await allocate(page, id)
  await takeFiles(page)
  await expectAccessibleAndNoOverflow(page)
  await readResult(page)
  await expectAccessibleAndNoOverflow(page)
  await compareAndAdopt(page)

  await page.goto(`/energy-distribution?${MONTH}`)
  await expect(page.getByRole('table', { name: 'Répartition par opération' })).toContainText('Définitif')
  await expect(page.getByRole('figure', { name: /^Qui a reçu quoi/ })).toBeVisible()
  await page.goto(`/member-distribution?${MONTH}`)
  for (const name of ['Camille Durand', 'Inès Moreau']) await page.getByLabel(`Sélectionner ${name}`).check()
  await expect(page.getByRole('heading', { name: 'Comparaison, octobre 2025' })).toBeVisible()
  await page.getByRole('link', { name: 'Camille Durand' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Camille Durand')
  await expect(page.getByText(/28,8\skWh consommés, 14,4\skWh venus de l’opération/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  const portal = await openAs(browser, await enter(request, admin, email))
  await portal.goto(`/client-portal/consumption?${MONTH}`)
  await expect(portal.getByText(/14,4\skWh sont venus des toits voisins/)).toBeVisible()
  await expect(portal.getByText('Ces chiffres sont définitifs.')).toBeVisible()
  const silent = portal.getByRole('region', { name: 'Compteurs sans relevés' })
  await expect(silent).toContainText('23\u00a0jours, du 9 au 31\u00a0octobre 2025')
  await expect(portal.getByText('Moreau')).toHaveCount(0)
})
