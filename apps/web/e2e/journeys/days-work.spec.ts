import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, dayOf, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { countClicks, type InputDriver, keyboardDriver, pointerDriver, reportClicks } from './hands.ts'
import { buildBearerHeader, confirmAddress, expect, type Person, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const YESTERDAY = addDays(TODAY, -1)
const FIRST = addDays(TODAY, -40)
const ROOF = '19125759670100'
const HOMES = ['Durand', 'Moreau', 'Roy', 'Diop', 'Blot', 'Kessler'].map((name, at) => ({
  name,
  prm: String(19_125_759_670_110 + at),
}))

const readings = (from: string, to: string) => {
  const rows = listDays(from, to).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
      const stamp = new Date((dayStart(day) + at * 15) * 60_000).toISOString()
      return [stamp, Math.max(0, 2730 - 3 * (at - 48) ** 2), ...HOMES.map((_, home) => 170 + 31 * home + at)].join(';')
    }),
  )
  const prms = [ROOF, ...HOMES.map(({ prm }) => prm)].map((prm) => `${prm} (W)`)
  return [`Début;${prms.join(';')}`, ...rows, ''].join('\n')
}

async function settle(request: APIRequestContext, admin: Person, path: string, status: string) {
  const read = async () => (await (await request.get(path, { headers: buildBearerHeader(admin) })).json()).status
  await expect.poll(read, { timeout: 30_000 }).toBe(status)
}

/** What the organiser's company holds in the morning: forty days shared, and no word of yesterday. */
async function setUpOperationWithData(request: APIRequestContext, admin: Person) {
  const headers = buildBearerHeader(admin)
  const roof = { kind: 'organisation', name: 'École Prévert', direction: 'production', peakWatts: 9000 }
  const homes = HOMES.map(({ name, prm }) => {
    const email = `${name.toLowerCase()}-${admin.email}`
    return { kind: 'person', firstName: 'Camille', lastName: name, email, prm, subscribedVa: 6000, startsOn: FIRST }
  })
  const participants = [{ ...roof, prm: ROOF, startsOn: FIRST }, ...homes]
  const data = { name: 'Les Jardins', startsOn: FIRST, participants, key: { method: 'default', shares: [] } }
  const operation = await (await request.post('/api/acc-operations', { headers, data })).json()
  const octets = { ...headers, 'content-type': 'application/octet-stream' }
  const past = Buffer.from(readings(FIRST, YESTERDAY))
  const sent = await request.post('/api/curve-imports?name=avant.csv', { headers: octets, data: past })
  const file = `/api/curve-imports/${(await sent.json()).id}`
  await settle(request, admin, file, 'ready')
  await request.post(`${file}/commit`, { headers })
  await settle(request, admin, file, 'done')
  const days = { from: FIRST, to: YESTERDAY, kind: 'provisional' }
  const run = await request.post(`/api/acc-operations/${operation.id}/allocation-runs`, { headers, data: days })
  await settle(request, admin, `/api/allocation-runs/${(await run.json()).id}`, 'done')
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })

/** From anywhere to anything: the words, then Enter. A telephone has no Ctrl. The palette waits for the words by itself. */
async function find(page: Page, hands: InputDriver, words: string, first: RegExp) {
  if ((page.viewportSize()?.width ?? 0) > 640) await page.keyboard.press('Control+k')
  else await hands.press(button(page, /^Rechercher/).first())
  const palette = page.getByRole('dialog', { name: 'Rechercher partout' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
  await expect(palette.getByRole('option').first()).toContainText(first)
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
}

async function explains(page: Page, hands: InputDriver) {
  await find(page, hands, 'durand', /Camille Durand/)
  await hands.press(link(page, /pourquoi ce chiffre/))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pourquoi ce chiffre')
  await expect(page.getByRole('main')).toContainText('Camille Durand')
  // On paper the page stands alone: nothing of the shell, and nothing that one would press.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toContainText('Camille Durand')
  await expect(page.getByRole('banner')).toBeHidden()
  for (const menu of await page.getByRole('navigation').all()) await expect(menu).toBeHidden()
  await expect(button(page, 'Imprimer')).toBeHidden()
  await page.emulateMedia({ media: null })
}

async function bringsYesterday(page: Page, hands: InputDriver) {
  await find(page, hands, 'importer des courbes', /Importer des courbes/)
  await hands.give(page.getByLabel('Choisir des fichiers'), { name: 'hier.csv', text: readings(YESTERDAY, TODAY) })
  await hands.press(button(page, 'Enregistrer'))
  const effects = page.getByRole('dialog', { name: 'Ce que cela change' })
  const next = link(page, 'Répartir ces jours')
  // The month so far may have been computed by itself meanwhile: then its figures change, and are shown first.
  await expect(effects.or(next)).toBeVisible({ timeout: 30_000 })
  if (await effects.isVisible()) await hands.press(effects.getByRole('button', { name: 'Enregistrer ces relevés' }))
  await hands.press(next)
  await hands.press(button(page, 'Lancer un calcul'))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Lancer le calcul' }))
  await expect(page.getByText(/pas vérifiés, 0\sécart/).first()).toBeVisible({ timeout: 30_000 })
}

async function correctsAnEntry(page: Page, hands: InputDriver) {
  await find(page, hands, 'moreau', /Camille Moreau/)
  await hands.press(button(page, /^Actions pour Les Jardins/))
  await hands.press(page.getByRole('menuitem', { name: 'Modifier les dates' }))
  await hands.write(page.getByLabel('Entrée'), addDays(FIRST, 3).split('-').reverse().join('/'))
  await hands.press(button(page, 'Enregistrer les dates'))
  const effects = page.getByRole('dialog', { name: 'Ce que cela change' })
  await expect(effects).toContainText('Camille Moreau')
  await hands.press(effects.getByRole('button', { name: 'Enregistrer les dates' }))
  await expect(effects).toHaveCount(0)
  await hands.press(page.getByRole('dialog', { name: 'Camille Moreau' }).getByRole('button', { name: 'Fermer' }))
}

async function invitesAll(page: Page, hands: InputDriver) {
  await hands.press(page.getByLabel('Tout sélectionner'))
  await hands.press(button(page, 'Autres actions'))
  await hands.press(page.getByRole('menuitem', { name: /^Inviter/ }))
  await hands.press(button(page, 'Vérifier'))
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(/6\s/)
  await hands.press(button(page, /^Enregistrer 6\schangements/))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const WAYS = [
  { name: 'at a desk', hands: pointerDriver, width: 1440, most: 16 },
  { name: 'on a telephone', hands: pointerDriver, width: 390, most: 19 },
  { name: 'without a pointer', hands: keyboardDriver, width: 1440, most: 0 },
]

for (const { name, hands, width, most } of WAYS)
  test(`a day’s work, ${name}: from what is new to what was corrected and whom was written to`, async ({
    page,
    context,
    request,
    admin,
  }) => {
    test.slow() // a whole day
    await page.setViewportSize({ width, height: 900 })
    await confirmAddress(request, admin)
    await setUpOperationWithData(request, admin)
    const clicks = { count: 0 }
    await countClicks(context, clicks)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'À traiter' })).toBeVisible()
    await explains(page, hands)
    await bringsYesterday(page, hands)
    await correctsAnEntry(page, hands)
    await invitesAll(page, hands)
    reportClicks(`a day’s work, ${name}`, clicks)
    expect(clicks.count).toBeLessThanOrEqual(most)
  })
