import { randomInt } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, dayOf, dayStart, localTime, stepsOfDay } from '@voisol/energy/calendar'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, type Person, test } from './people.ts'

const today = dayOf(Math.floor(Date.now() / 60_000))
const FIRST = addDays(today, -10)
const AFTER = addDays(today, -6)
/** The sandbox is one for all who use it: each test has points of its own. */
const someone = () => `19${randomInt(10 ** 11, 10 ** 12 - 1)}`

const pad = (value: number) => String(value).padStart(2, '0')
const clock = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}:00`
}

const HEADER =
  'Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance;Etat complémentaire'
const r63 = (prm: string, days: string[]) => {
  const rowsOf = (day: string) =>
    Array.from({ length: stepsOfDay(day, 30) }, (_, at) => {
      const stamp = clock(dayStart(day) + (at + 1) * 30)
      return `${prm};${day} 00:00:00;${addDays(day, 1)} 00:00:00;PA;CONS;BRUT;W;${stamp};${300 + at};B;PT30M;0;0`
    })
  return [HEADER, ...days.flatMap(rowsOf), ''].join('\n')
}
const c15 = (prm: string, event: string, day: string) =>
  `<C15><En_Tete_Flux><Identifiant_Flux>C15</Identifiant_Flux></En_Tete_Flux><PRM><Id_PRM>${prm}</Id_PRM><Autoconsommation_Collective>1</Autoconsommation_Collective><Evenement_Declencheur><Type_Evenement>CONTRAT</Type_Evenement><Date_Evenement>${day}T00:00:00+01:00</Date_Evenement><Nature_Evenement>${event}</Nature_Evenement><Releves></Releves></Evenement_Declencheur></PRM></C15>`

async function operate(request: APIRequestContext, admin: Person, prms: { lambert: string; moreau: string }) {
  const home = (name: string, prm: string) => ({ name, prm, subscribedVa: 9000, startsOn: FIRST })
  const answer = await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: {
      name: 'Les Jardins de Brossolette',
      startsOn: FIRST,
      participants: [home('Famille Lambert', prms.lambert), home('Inès Moreau', prms.moreau)],
    },
  })
  expect(answer.status()).toBe(200)
}

async function send(request: APIRequestContext, admin: Person, name: string, text: string) {
  const headers = buildBearerHeader(admin)
  await request.post(`/api/distributor-files?name=${name}`, {
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    data: Buffer.from(text),
  })
  const decoded = async () =>
    (await (await request.get('/api/distributor-files?status=decoded', { headers })).json()).items.length
  await expect.poll(decoded, { timeout: 30_000 }).toBe(1)
}

/** What the meter of the sandbox measures for that point. */
async function measured(request: APIRequestContext, admin: Person, prm: string) {
  const { sandboxUrl } = await (await request.get('/api/enedis/overview', { headers: buildBearerHeader(admin) })).json()
  const points = [{ prm, direction: 'consumption', step: 30, from: addDays(FIRST, -30) }]
  expect((await request.put(`${sandboxUrl}/_sandbox/points`, { data: points })).ok()).toBe(true)
}

const drop = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

const cellsOf = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })
    .getByRole('gridcell')

test('missing days are chosen with the keyboard, asked for again, and come', async ({ page, request, admin }) => {
  const prms = { lambert: someone(), moreau: someone() }
  await operate(request, admin, prms)
  await measured(request, admin, prms.lambert)
  await measured(request, admin, prms.moreau)
  await send(request, admin, 'R63.csv', r63(prms.lambert, [FIRST, addDays(FIRST, 2)]))

  await page.goto(`/enedis-data?onglet=completude&unit=range&from=${FIRST}&to=${AFTER}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Données Enedis')
  const [lambert, moreau] = [cellsOf(page, 'Famille Lambert'), cellsOf(page, 'Inès Moreau')]
  await expect(lambert.nth(0)).toHaveAccessibleName(/reçu$/)
  await expect(lambert.nth(1)).toHaveAccessibleName(/manquant$/)

  await page.getByRole('button', { name: 'Redemander des journées' }).press('Enter')
  await lambert.nth(0).click()
  await expect(page.getByRole('button', { name: 'Redemander au distributeur' })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  await expect(lambert.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText(/^1\sjournée sur 1\spoint$/)).toBeVisible()
  await page.keyboard.press('Shift+ ')
  await expect(page.getByText(/^2\sjournées sur 1\spoint$/)).toBeVisible()
  await page.keyboard.press('Control+a')
  await expect(page.getByText(/^6\sjournées sur 2\spoints$/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await page.getByRole('button', { name: 'Redemander au distributeur' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Redemander au distributeur' })
  await expect(dialog.getByText('Journées choisies')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: 'Redemander au distributeur' }).press('Enter')
  await expect(getToast(page)).toContainText('Demande envoyée au distributeur')
  await expect(page.getByText(/Demande terminée\s: 6\sjournées nouvelles/)).toBeVisible({ timeout: 30_000 })
  await expect(lambert.nth(1)).toHaveAccessibleName(/reçu$/)
  await expect(moreau.nth(3)).toHaveAccessibleName(/reçu$/)
  await page.getByRole('main').getByRole('link', { name: 'Voir la synchronisation' }).click()
  await expect(page).toHaveURL(/\/enedis-api\/sync-tasks\/[\w-]+$/)
})

test('files are read or set aside with their reason, and tell what happened to the contracts', async ({
  page,
  request,
  admin,
}) => {
  const prms = { lambert: someone(), moreau: someone() }
  await operate(request, admin, prms)
  await page.goto('/enedis-data?onglet=fichiers')
  await expect(page.getByText('Aucun fichier reçu')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await drop(page, 'ENEDIS_R63.csv', r63(prms.lambert, [FIRST]))
  const files = page.getByRole('table', { name: 'Fichiers du distributeur' })
  const row = (name: string) => files.getByRole('row').filter({ hasText: name })
  await expect(row('ENEDIS_R63.csv')).toContainText('Lu')
  await expect(row('ENEDIS_R63.csv')).toContainText(/1\sjournée nouvelle/)
  await drop(page, 'C15.xml', c15(prms.moreau, 'RES', addDays(FIRST, 2)))
  await expect(row('C15.xml')).toContainText(/1\sévénement/)
  await drop(page, 'lettre.txt', 'Bonjour, voici mes relevés.')
  await expect(row('lettre.txt')).toContainText('Mis à l’écart')
  await expectAccessibleAndNoOverflow(page)

  const saved = page.waitForEvent('download')
  await row('lettre.txt').getByRole('button', { name: 'Télécharger' }).click()
  expect((await saved).suggestedFilename()).toBe('lettre.txt')
  const asked = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/retry'),
  )
  await row('lettre.txt').getByRole('button', { name: 'Relire' }).click()
  await asked
  await page.reload()
  await expect(row('lettre.txt')).toContainText('Mis à l’écart')
  await row('lettre.txt').getByRole('button', { name: 'Retirer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer le fichier' }).click()
  await expect(row('lettre.txt')).toHaveCount(0)

  await page.getByRole('tab', { name: 'Événements contractuels' }).click()
  const events = page.getByRole('table', { name: 'Événements contractuels' })
  await expect(events.getByRole('row').filter({ hasText: 'RES' })).toContainText('Résiliation')
  await expectAccessibleAndNoOverflow(page)
})
