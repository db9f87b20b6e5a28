import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, openInteractive, test } from '../fixtures.ts'
import { readMailedLink } from './people.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name, exact: true })
const freeDays = (page: Page) => dialog(page).locator('[data-day]:not([disabled])')
const slots = (page: Page) => dialog(page).getByRole('list', { name: 'Créneaux libres' }).getByRole('button')
const visitor = () => ({ email: `visite-${randomUUID().slice(0, 8)}@exemple.fr` })

async function openBooking(page: Page) {
  await openInteractive(page, '/contact')
  await page.getByRole('button', { name: 'Demander une démo' }).first().click()
  await expect(freeDays(page).first()).toBeVisible()
}

/** A day far enough for other tests not to want it, and one of its hours. */
async function choose(page: Page) {
  await button(page, 'Mois suivant').click()
  const day = freeDays(page).nth(Math.floor(Math.random() * (await freeDays(page).count())))
  await day.click()
  await button(page, 'Suivant').click()
  await slots(page)
    .nth(Math.floor(Math.random() * (await slots(page).count())))
    .click()
  await button(page, 'Suivant').click()
}

async function fill(page: Page, email: string) {
  await dialog(page).getByLabel('Prénom').fill('Ada')
  await dialog(page).getByLabel('Nom', { exact: true }).fill('Morel')
  await dialog(page).getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog(page).getByLabel('Entreprise').fill('Les Tilleuls')
  await dialog(page).getByLabel('Type de projet').selectOption('ZAC / Éco-quartier')
}

test('a demonstration is booked in three steps, confirmed by mail and put into a calendar', async ({
  page,
  context,
  request,
}) => {
  const { email } = visitor()
  // The calendar belongs to another host: nothing of it is asked for here.
  await context.route(/calendar\.google\.com/, (route) => route.fulfill({ body: 'agenda' }))
  await openBooking(page)
  await expect(button(page, 'Suivant')).toBeDisabled()
  await expectAccessible(page)
  await choose(page)
  await expectAccessible(page)
  const confirm = button(page, 'Confirmer la réservation')
  await expect(confirm).toBeDisabled()
  await fill(page, email)
  await expect(confirm).toBeEnabled()
  const opened = context.waitForEvent('page')
  await confirm.click()
  await expect(page.getByText('Démonstration confirmée !').first()).toBeVisible()
  await expect(page.getByText('Vous recevrez un email de confirmation dans quelques minutes.').first()).toBeVisible()
  const calendar = new URL((await opened).url())
  expect(calendar.searchParams.get('location')).toBe('Visioconférence - Lien envoyé par email')
  expect(calendar.searchParams.get('details')).toContain('Les Tilleuls')
  expect(await readMailedLink(request, email, /D-[A-Z0-9]{6}/)).toMatch(/^D-/)
  await button(page, 'Fermer').last().click()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('button', { name: 'Demander une démo' }).first().click()
  await expect(button(page, 'Suivant')).toBeDisabled()
})

test('week-ends, holidays, days gone by and days beyond sixty cannot be chosen', async ({ page }) => {
  await openBooking(page)
  const days: string[] = []
  for (let month = 0; month < 3; month++) {
    days.push(...(await freeDays(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-day') ?? ''))))
    if (await button(page, 'Mois suivant').isDisabled()) break
    await button(page, 'Mois suivant').click()
  }
  expect(days.length).toBeGreaterThan(30)
  const last = new Date(Date.now() + 61 * 86_400_000).toISOString().slice(0, 10)
  for (const day of days) {
    expect([0, 6]).not.toContain(new Date(`${day}T12:00:00Z`).getUTCDay())
    expect(day >= new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) && day <= last).toBe(true)
    expect(['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25']).not.toContain(day.slice(5))
  }
})

test('the calendar is used with the keyboard alone', async ({ page }) => {
  await openBooking(page)
  const first = freeDays(page).first()
  await first.focus()
  const day = await first.getAttribute('data-day')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-day'))).not.toBe(day)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Suivant')).toBeEnabled()
})

test('a failure is told in general words, and nothing typed is lost', async ({ page }) => {
  await openBooking(page)
  await choose(page)
  await fill(page, 'ada@exemple.fr')
  await page.route('**/api/bookings/create', (route) => route.abort())
  await button(page, 'Confirmer la réservation').click()
  await expect(page.getByText('Une erreur est survenue lors de la réservation').first()).toBeVisible()
  await expect(dialog(page).getByLabel('Entreprise')).toHaveValue('Les Tilleuls')
})

test('a slot taken meanwhile leads back to the hours', async ({ page }) => {
  await openBooking(page)
  await choose(page)
  await fill(page, 'ada@exemple.fr')
  await page.route('**/api/bookings/create', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"code":"conflict"}' }),
  )
  await button(page, 'Confirmer la réservation').click()
  await expect(dialog(page).getByText('Ce créneau vient d’être réservé par quelqu’un d’autre')).toBeVisible()
  await expect(page.getByText('Une erreur est survenue lors de la réservation').first()).toBeVisible()
})

test('the desk sees the booking, confirms it and tells the visitor', async ({ page, request, signedIn }) => {
  const { email } = visitor()
  const { days } = await (await request.get('/api/bookings/slots')).json()
  const { day, free } = days[Math.floor(days.length / 2)]
  const body = {
    firstName: 'Léa',
    lastName: 'Roux',
    email,
    company: `Mairie ${email.slice(7, 11)}`,
    projectType: 'Autre',
  }
  const time = free[Math.floor(Math.random() * free.length)]
  const made = await request.post('/api/bookings/create', { data: { ...body, date: `${day}T12:00:00.000Z`, time } })
  expect(made.status()).toBe(200)
  await signedIn('admin')
  await page.goto(`/admin/bookings?onglet=liste&q=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: 'Ouvrir Léa Roux' }).click()
  await dialog(page).getByLabel('Lien de la visioconférence').fill('https://visio.exemple.fr/salle')
  await button(page, 'Confirmer et envoyer le lien').click()
  await expect(dialog(page).getByText('Confirmée')).toBeVisible()
  await expectAccessible(page)
  await readMailedLink(request, email, /visio\.exemple\.fr/)
})
