import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, dayStart, listDays, localTime, stepsOfDay } from '@voisol/energy/calendar'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, type Person, test } from './people.ts'

const FIRST = '2025-10-25'
/** A Sunday of 25 hours. */
const LONG = '2025-10-26'
const LAST = '2025-10-27'
const PLANT = '19125759620100'
const LAMBERT = '19125759620110'
const MOREAU = '19125759620111'
const STRANGER = '99999999999999'

const pad = (value: number) => String(value).padStart(2, '0')
const clock = (minute: number) => {
  const { day, minuteOfDay } = localTime(minute)
  return `${day} ${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`
}
const stampsOf = (day: string) =>
  Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
    const minute = dayStart(day) + at * 15
    return { day, at, stamp: clock(minute), instant: new Date(minute * 60_000).toISOString() }
  })

type Cells = (row: { day: string; at: number }) => string[]
const wide = (prms: string[], days: string[], cells: Cells, more: string[] = []) =>
  [`Horodate;${prms.join(';')}`, ...days.flatMap(stampsOf).map((row) => [row.stamp, ...cells(row)].join(';')), ...more]
    .join('\n')
    .concat('\n')

/** The same, saying its unit, its clock and what its stamps mark. */
const buildReadingsFile = (prms: string[], days: string[], cells: Cells) =>
  [
    `Début;${prms.map((prm) => `${prm} (W)`).join(';')}`,
    ...days.flatMap(stampsOf).map((row) => [row.instant, ...cells(row)].join(';')),
  ]
    .join('\n')
    .concat('\n')

async function operate(request: APIRequestContext, admin: Person) {
  const home = (name: string, prm: string) => ({ name, prm, subscribedVa: 9000, startsOn: '2025-01-01' })
  const plant = { prm: PLANT, direction: 'production', peakWatts: 9000, label: 'Toit de l’école' }
  const answer = await request.post('/api/acc-operations', {
    headers: buildBearerHeader(admin),
    data: {
      name: 'Les Jardins de Brossolette',
      startsOn: '2025-01-01',
      participants: [
        { name: 'École Prévert', kind: 'organisation', ...plant, startsOn: '2025-01-01' },
        home('Famille Lambert', LAMBERT),
        home('Inès Moreau', MOREAU),
      ],
    },
  })
  expect(answer.status()).toBe(200)
  return `/companies/${admin.companyId}/operations/${(await answer.json()).id}/load-curves`
}

const waitForStatus = async (request: APIRequestContext, admin: Person, id: string, status: string) =>
  expect
    .poll(
      async () =>
        (await (await request.get(`/api/curve-imports/${id}`, { headers: buildBearerHeader(admin) })).json()).status,
    )
    .toBe(status)

async function store(request: APIRequestContext, admin: Person, name: string, text: string) {
  const headers = { ...buildBearerHeader(admin), 'content-type': 'application/octet-stream' }
  const answer = await request.post(`/api/curve-imports?name=${name}`, { headers, data: Buffer.from(text) })
  const { id } = await answer.json()
  await waitForStatus(request, admin, id, 'ready')
  await request.post(`/api/curve-imports/${id}/commit`, { headers: buildBearerHeader(admin) })
  await waitForStatus(request, admin, id, 'done')
}

const drop = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const cell = (page: Page, name: string) => page.getByRole('gridcell', { name })

test('a file across the clock change: its lines are judged, its unit is corrected, its gap is shown', async ({
  page,
  request,
  admin,
}) => {
  const path = await operate(request, admin)
  const days = listDays(FIRST, addDays(LAST, 1))
  const sun: Cells = ({ at }) => [String(Math.max(0, 400 - (at - 48) ** 2)), String(100 + at)]
  const moreau = ({ day, at }: { day: string; at: number }) => (day === FIRST ? '' : at === 9 ? 'oups' : '75')
  const text = wide([PLANT, LAMBERT, MOREAU, STRANGER], days, (row) => [...sun(row), moreau(row), '1'], [
    '27/10/2025 25:00;1;2;3;4',
  ])
  await page.goto(`${path}?onglet=imports`)
  await expect(page.getByText('Aucun fichier n’a encore été déposé.')).toBeVisible()
  await drop(page, 'octobre.csv', text)
  await expect(page.getByText('Tableau d’une colonne par point').first()).toBeVisible()
  await expect(page.getByText(/^26\soctobre 2025$/)).toBeVisible()
  await expect(page.getByText(/^7\sremarques$/)).toBeVisible()
  await page.getByRole('button', { name: /^Illisible/ }).click()
  const remarks = page.getByRole('table', { name: 'Remarques sur le fichier' })
  await expect(remarks).toContainText('« oups »'.replaceAll(' ', '\u00a0'))
  await expect(remarks).toContainText('25:00')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger ces remarques (CSV)' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain(';Erreur;Illisible;')
  await expectAccessibleAndNoOverflow(page)

  const series = page.getByRole('table', { name: 'Courbes du fichier' })
  await expect(series.getByRole('row').filter({ hasText: '99' }).last()).toContainText('Laissé de côté')
  await expect(page.getByRole('button', { name: 'Enregistrer', exact: true })).toBeDisabled()
  await expect(page.getByText(/^2\schoses que le fichier ne dit pas$/)).toBeVisible()
  await page.getByRole('radio', { name: /^Énergie en Wh/ }).check()
  await expect(page.getByRole('button', { name: 'Lire le fichier ainsi' })).toBeDisabled()
  await page.getByRole('radio', { name: /^Début du pas/ }).check()
  await page.getByRole('button', { name: 'Lire le fichier ainsi' }).click()
  await expect(page.getByText('Lecture du fichier')).toHaveCount(0)
  await expect(page.getByLabel('Unité', { exact: true })).toHaveValue('Wh')
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'journées ajoutées' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'octobre.csv' })).toContainText('Enregistré')

  await page.getByRole('link', { name: 'Voir la complétude' }).click()
  await expect(cell(page, 'Inès Moreau, samedi 25\u00a0octobre 2025\u00a0: manquant')).toBeVisible()
  await expect(cell(page, 'Inès Moreau, dimanche 26\u00a0octobre 2025\u00a0: partiel')).toBeVisible()
  await expect(cell(page, 'Famille Lambert, dimanche 26\u00a0octobre 2025\u00a0: reçu')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})

test('the same file again changes nothing, and a correction makes a second version that can be compared', async ({
  page,
  request,
  admin,
}) => {
  const path = await operate(request, admin)
  const days = listDays(FIRST, addDays(LAST, 1))
  const text = buildReadingsFile([LAMBERT], days, ({ at }) => [String(100 + at)])
  await store(request, admin, 'octobre.csv', text)
  await page.goto(`${path}?onglet=imports`)
  await drop(page, 'octobre-bis.csv', text)
  await expect(page.getByText('enregistrer ne changera rien')).toBeVisible()
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Rien de nouveau' })).toBeVisible()

  await page.getByRole('button', { name: 'Importer un autre fichier' }).click()
  await drop(
    page,
    'correction.csv',
    buildReadingsFile([LAMBERT], [LAST], ({ at }) => [String(at === 40 ? 500 : 100 + at)]),
  )
  await expect(page.getByText('l’ancienne version est gardée')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enregistrer', exact: true })).toBeDisabled()
  await page.getByRole('checkbox', { name: /^Remplacer 1\sjournée déjà enregistrée/ }).check()
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await page.getByRole('link', { name: 'Voir la complétude' }).click()
  await cell(page, 'Famille Lambert, lundi 27\u00a0octobre 2025\u00a0: corrigé').click()
  const dialog = page.getByRole('dialog', { name: 'Lundi 27\u00a0octobre 2025' })
  await expect(dialog.getByRole('table', { name: 'Versions de la journée' }).locator('tbody tr')).toHaveCount(2)
  await expect(dialog.getByText(/1\spas diffère/)).toBeVisible()
  await expect(dialog.getByRole('table', { name: /^Différences/ })).toContainText('10:00')
  await expectAccessibleAndNoOverflow(page)
})

test('a file that is no curve is refused, one without a point asks for it, and both can be given up', async ({
  page,
  request,
  admin,
}) => {
  const path = await operate(request, admin)
  await page.goto(`${path}?onglet=imports`)
  await drop(page, 'lettre.csv', 'Bonjour,\nvoici mes relevés.\n')
  await expect(page.getByRole('alert')).toContainText('n’est pas une courbe de charge connue')
  await page.getByRole('button', { name: 'Importer un autre fichier' }).click()
  const single = ['Début;Puissance (W)', ...stampsOf(FIRST).map(({ instant, at }) => `${instant};${at}`)].join('\n')
  await drop(page, 'compteur.csv', `${single}\n`)
  await expect(page.getByRole('button', { name: 'Enregistrer', exact: true })).toBeDisabled()
  await page
    .getByLabel('Point de cette courbe')
    .selectOption({ label: 'Inès Moreau · Consommation · 19\u202f125\u202f759\u202f620\u202f111' })
  await expect(page.getByRole('button', { name: 'Enregistrer', exact: true })).toBeEnabled()
  await expect(page.getByText(/1\sjournée nouvelle/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Abandonner', exact: true }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Abandonner l’import' }).click()
  const history = page.getByRole('table', { name: 'Imports de courbes' })
  await expect(history.getByRole('row').filter({ hasText: 'compteur.csv' })).toContainText('Abandonné')
  await page.getByRole('group', { name: 'État' }).getByRole('button', { name: 'Refusé' }).click()
  await expect(history.locator('tbody tr')).toHaveCount(1)
  await expect(page).toHaveURL(/status=refused/)
})

test('a point shows its curve as it is and as it was known, and the plants have their own screen', async ({
  page,
  request,
  admin,
}) => {
  const path = await operate(request, admin)
  const sun = (at: number) => String(Math.max(0, 6000 - 6 * (at - 48) ** 2))
  const days = listDays(FIRST, addDays(LAST, 1))
  await store(
    request,
    admin,
    'octobre.csv',
    buildReadingsFile([PLANT, LAMBERT], days, ({ at }) => [sun(at), '300']),
  )
  await page.goto(`${path}?unit=day&from=${LONG}`)
  await page.getByRole('button', { name: 'Choisir des points' }).click()
  await page.getByRole('searchbox', { name: 'Rechercher un point' }).fill('lambert')
  await page.getByRole('checkbox', { name: /Famille Lambert/ }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Famille Lambert' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Famille Lambert')
  await expect(page.getByText('19\u202f125\u202f759\u202f620\u202f110')).toBeVisible()
  await page.goto(`${page.url().split('?')[0]}?unit=day&from=${LONG}`)
  await expect(page.getByText(/100\srelevés sur 100 attendus/)).toBeVisible()
  await expect(page.getByRole('figure', { name: /Courbe de charge de Famille Lambert/ })).toContainText('7,5')
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Tel que connu le').fill('2025-10-30')
  await expect(page.getByText('Rien n’était encore connu')).toBeVisible()
  await expect(page).toHaveURL(/connu=2025-10-30/)
  await page.goto(`${path}/${LAMBERT}?unit=day&from=${LONG}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Famille Lambert')

  await page.goto(`/production?unit=month&from=${FIRST}`)
  const plants = page.getByRole('table', { name: 'Centrales' })
  await expect(plants.getByRole('row').filter({ hasText: 'Toit de l’école' })).toContainText('9,0')
  await expect(page.getByRole('figure', { name: 'Production de la période' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await plants.getByRole('link', { name: 'Toit de l’école' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Toit de l’école, École Prévert')
})
