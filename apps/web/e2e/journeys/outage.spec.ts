import type { Page, Route } from '@playwright/test'
import { navigateInPage, waitUntilIdle } from '../fixtures.ts'
import { expect, expectAccessibleAndNoOverflow, getToast, test } from './people.ts'

const SILENT = /^http:\/\/127\.0\.0\.1:\d+\/(?:api\/|assets\/|healthz)/
const cut = (route: Route) => route.abort('connectionrefused')
/** The server is stopped under a page that is loaded: it answers nothing, the browser is online. */
async function stops(page: Page) {
  await expect(page.getByRole('region', { name: /^Notifications \(F8\)/ })).toBeAttached()
  await page.route(SILENT, cut)
}
const starts = (page: Page) => page.unroute(SILENT, cut)

test('a list whose server stops says so, keeps its screen, and comes back by itself', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/users')
  await waitUntilIdle(page)
  await stops(page)
  await page.getByRole('searchbox', { name: /^Rechercher/ }).fill('personne')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('La connexion au serveur a échoué. Vérifiez votre réseau, puis réessayez.')
  await expect(alert).not.toContainText('référence')
  await expect(getToast(page)).toContainText('Le serveur ne répond plus')
  await expect(page.getByRole('heading', { level: 1, name: 'Utilisateurs' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  // A window that never came, or of which a part did not, says so and leaves the screen as it is.
  const bell = page.getByRole('button', { name: 'Notifications' }).first()
  await bell.click()
  const missing = page.getByText(/Cette (?:partie n’a pas pu s’afficher|fenêtre n’a pas pu s’ouvrir)/)
  await expect(missing.first()).toBeVisible()
  await starts(page)
  const latest = page.getByRole('dialog', { name: 'Notifications' })
  // What is said in a corner may take the first press.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(latest).toBeHidden({ timeout: 2_000 })
  }).toPass()
  // A window that had not come is asked for by the first press, and opened by the next.
  await expect(async () => {
    if (!(await latest.isVisible())) await bell.click()
    await expect(latest.getByText('Cette partie n’a pas pu s’afficher')).toHaveCount(0, { timeout: 2_000 })
    await expect(latest.getByRole('link', { name: 'Voir toutes les notifications' })).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  // What the screen could not read comes by itself, now that the server speaks again.
  await expect(page.getByText('Aucun résultat')).toBeVisible()
})

test('a form that is sent into silence keeps what was typed, says why, and is sent again', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/settings')
  await page.getByLabel('Nom affiché').fill('Les Toits du Silence')
  await stops(page)
  const save = page.getByRole('button', { name: /^Enregistrer/ }).first()
  await save.click()
  await expect(page.getByRole('alert').first()).toContainText('La connexion au serveur a échoué')
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Les Toits du Silence')
  await expect(save).toBeEnabled()
  await starts(page)
  await save.click()
  await expect(getToast(page)).toContainText('Organisation enregistrée')
})

test('an answer of 500 has its number, and what was read stays', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/dashboard')
  await waitUntilIdle(page)
  const problem = {
    type: 'about:blank',
    title: 'Erreur',
    status: 500,
    code: 'internal',
    detail: 'Une erreur inattendue est survenue. Elle a été enregistrée ; réessayez dans un instant.',
    message: 'Une erreur inattendue est survenue.',
    requestId: 'demande-4217',
  }
  const fails = (route: Route) => route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
  await page.route('**/api/users?**', fails)
  await navigateInPage(page, '/users')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Une erreur inattendue est survenue')
  await expect(alert).toContainText('demande-4217')
  await page.unroute('**/api/users?**', fails)
  await alert.getByRole('button', { name: 'Réessayer' }).click()
  await expect(page.getByRole('table', { name: 'Utilisateurs' })).toBeVisible()
})

test('in the portal a screen that does not come is told of in its place, and comes when it can', async ({
  page,
  signedIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn('client')
  await page.goto('/client-portal')
  await waitUntilIdle(page)
  await stops(page)
  await page.getByRole('link', { name: 'Factures' }).first().click()
  await expect(page.getByRole('alert').getByRole('heading', { name: 'Cet écran n’a pas pu s’afficher' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  // Still silent: the page is not thrown away by trying, once it has tried to the end.
  const tried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/healthz'))
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await tried
  await expect(page.getByRole('link', { name: 'Accueil' }).first()).toBeVisible()
  await starts(page)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mes factures' })).toBeVisible()
})
