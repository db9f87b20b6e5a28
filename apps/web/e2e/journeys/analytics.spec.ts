import type { Page } from '@playwright/test'
import { waitUntilIdle } from '../fixtures.ts'
import { keyboardDriver } from './hands.ts'
import { expect, expectAccessibleAndNoOverflow, getToast, inviteAndAccept, openAs, test } from './people.ts'

const figure = (page: Page, name: RegExp) => page.getByRole('figure', { name })
const getComparisonTable = (page: Page) => page.getByRole('table', { name: /toutes les valeurs/ })

test('operations, members, groups and months stand side by side, and a figure opens to its rows', async ({
  page,
  signedIn,
}) => {
  await signedIn('admin')
  await page.goto('/analytics?unit=month&from=2026-05-01')
  await expect(getComparisonTable(page).getByRole('row')).not.toHaveCount(0)
  for (const [label, heading] of [
    ['Membres', /^Membres/],
    ['Groupes', /^Groupes/],
    ['Mois', /^Mois/],
    ['Opérations', /^Opérations/],
  ] as const) {
    await page.getByLabel('Ce qui est comparé').selectOption({ label })
    await expect(figure(page, heading)).toBeVisible()
    await expect(getComparisonTable(page).getByRole('row').nth(1)).toBeVisible()
  }
  const first = getComparisonTable(page).getByRole('row').nth(1)
  const name = (await first.getByRole('cell').first().innerText()).trim()
  const whole = (await first.getByRole('cell').nth(1).innerText()).trim()
  await first.getByRole('cell').nth(1).getByRole('link').click()
  await expect(page).toHaveURL(/by=members/)
  await expect(page.getByLabel('Opération', { exact: true })).toHaveValue(/.{36}/)
  await expect(page.getByLabel('Opération', { exact: true }).locator('option:checked')).toHaveText(name)
  await expect(figure(page, /^Membres/)).toBeVisible()
  expect(whole).toMatch(/Wh$/)
  await getComparisonTable(page).getByRole('row').nth(1).getByRole('cell').nth(1).getByRole('link').click()
  await expect(page).toHaveURL(/\/load-curves\//)
})

/** The inside of a portrait A4, in pixels of a page. */
const SHEET = 672
const widest = (page: Page, what: string) =>
  page.getByRole('main').evaluate((main, all) => {
    const widths = [...main.querySelectorAll(all)].map((one) => one.getBoundingClientRect().width)
    return Math.max(...widths)
  }, what)
const dispatchPageEvent = (page: Page, event: string) =>
  page.evaluate((name) => void dispatchEvent(new Event(name)), event)

test('on paper every drawing and every table is whole, and the screen is as before afterwards', async ({
  page,
  signedIn,
}) => {
  await signedIn('admin')
  await page.goto('/analytics?unit=month&from=2026-05-01')
  await expect(figure(page, /courbe monotone/).getByRole('slider')).toBeVisible()
  await expect(page.locator('main .uplot canvas').first()).toBeVisible()
  await waitUntilIdle(page)
  // What is drawn for a width; the rest follows the sheet by itself.
  const drawings = '.uplot canvas, [role="slider"] > svg'
  expect(await widest(page, drawings)).toBeGreaterThan(SHEET)
  await dispatchPageEvent(page, 'beforeprint')
  await expect.poll(() => widest(page, drawings)).toBeLessThan(SHEET)
  await dispatchPageEvent(page, 'afterprint')
  await expect.poll(() => widest(page, drawings)).toBeGreaterThan(SHEET)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: SHEET, height: 1000 })
  await expect.poll(() => widest(page, 'table')).toBeLessThan(SHEET)
})

test('every drawing is walked without a pointer and has its table', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/analytics?unit=month&from=2026-05-01')
  const duration = figure(page, /courbe monotone/)
  const curve = duration.getByRole('slider')
  await curve.focus()
  await page.keyboard.press('ArrowRight')
  const highest = await curve.getAttribute('aria-valuetext')
  expect(highest).toMatch(/des heures\s: .* ou davantage$/)
  await page.keyboard.press('End')
  await expect(curve).toHaveAttribute('aria-valuetext', /^100\s%/)
  await page.keyboard.press('Home')
  await expect(curve).toHaveAttribute('aria-valuetext', highest ?? '')
  await expect(duration).toContainText('ou davantage')
  const boxes = figure(page, /étendue par heure/)
  await boxes.getByRole('slider').focus()
  for (let n = 0; n < 13; n += 1) await page.keyboard.press('ArrowRight')
  await expect(boxes.getByRole('slider')).toHaveAttribute('aria-valuetext', /^12\sh\s: médiane/)
  for (const name of [/heure par jour/, /étendue par heure/, /courbe monotone/, /^Opérations/, /par heure$/]) {
    const one = figure(page, name).first()
    await keyboardDriver.press(one.getByRole('button', { name: 'Voir le tableau' }))
    await expect(one.getByRole('table').or(one.getByRole('list')).first()).toBeVisible()
  }
  await expectAccessibleAndNoOverflow(page)
})

test('what is looked at is kept under a name, shared, and opened by its address', async ({
  page,
  browser,
  request,
  admin,
}) => {
  await page.goto('/analytics?unit=year&from=2026-01-01&by=months&side=production')
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enregistrer cette vue' })
  await dialog.getByLabel('Nom de la vue').fill('Production par mois')
  await dialog.getByLabel('La partager avec l’organisation').check()
  await dialog.getByRole('button', { name: 'Enregistrer la vue' }).click()
  await expect(getToast(page)).toContainText('Vue enregistrée')
  const reader = await openAs(
    browser,
    await inviteAndAccept(request, admin, { firstName: 'Zoé', lastName: 'Petit', role: 'reader' }),
  )
  await reader.goto('/analytics')
  await reader.getByRole('link', { name: 'Production par mois' }).click()
  await expect(reader).toHaveURL(/by=months&side=production/)
  await expect(reader.getByLabel('Sens')).toHaveValue('production')
  await expect(reader.getByRole('button', { name: /^Retirer la vue/ })).toHaveCount(0)
})

test('on a telephone nothing sticks out, and a curve has no more points than pixels', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.setViewportSize({ width: 390, height: 844 })
  const answered = page.waitForResponse((answer) => answer.url().includes('/api/analytics/chart'))
  await page.goto('/analytics?unit=year&from=2026-01-01')
  const { starts } = await (await answered).json()
  expect(starts.length).toBeLessThanOrEqual(390)
  await expect(figure(page, /courbe monotone/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})

test('whoever finances a plant sees its economy and nothing else', async ({ browser, request, admin }) => {
  const headers = { authorization: `Bearer ${admin.token}` }
  const made = await request.post('/api/roles', {
    headers,
    data: { name: 'Investisseur', permissions: ['plants.read'] },
  })
  const { id } = await made.json()
  const investor = await inviteAndAccept(request, admin, { firstName: 'Noé', lastName: 'Roux', role: id })
  const page = await openAs(browser, investor)
  await page.goto('/installations')
  await expect(page.getByRole('heading', { name: 'Économie des installations', level: 1 })).toBeVisible()
  await expect(page.getByText('Aucune installation')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Analyses' })).toHaveCount(0)
  await page.goto('/analytics')
  await expect(page.getByRole('heading', { name: 'Accès refusé', level: 2 })).toBeVisible()
})
