import type { Page } from '@playwright/test'
import { pages } from '../../src/site/pages.ts'
import { expect, expectAccessible, openInteractive, test } from '../fixtures.ts'

const plan = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

test.describe('the prices', () => {
  test('are by the month or by the year, ten per cent below twelve months', async ({ page }) => {
    await openInteractive(page, '/pricing')
    await expect(plan(page, 'Starter')).toContainText('149\u00a0€')
    await expect(page.getByText('-10\u00a0%').first()).toBeHidden()
    await page.getByText('Annuel', { exact: true }).click()
    for (const [name, year, twelve] of [
      ['Starter', '1\u202f609\u00a0€', '1\u202f788\u00a0€'],
      ['Professional', '3\u202f769\u00a0€', '4\u202f188\u00a0€'],
    ] as const) {
      const card = plan(page, name)
      await expect(card.getByText(year)).toBeVisible()
      await expect(card.getByText('-10\u00a0%')).toBeVisible()
      await expect(card.locator('s')).toHaveText(twelve)
      await expect(card.locator('s')).toBeVisible()
    }
    await expectAccessible(page)
    await page.keyboard.press('ArrowLeft')
    await expect(plan(page, 'Professional').getByText('349\u00a0€')).toBeVisible()
  })

  test('lead to the trial, to the contact page and to the sign-in', async ({ page }) => {
    await openInteractive(page, '/pricing')
    await expect(plan(page, 'Professional')).toContainText('Le plus populaire')
    await expect(plan(page, 'Starter').getByRole('link')).toHaveAttribute('href', /^\/login/)
    await expect(plan(page, 'Enterprise').getByRole('link')).toHaveAttribute('href', '/contact')
    await expect(page.getByRole('link', { name: 'Se connecter' })).toHaveAttribute('href', '/login')
    for (const price of ['990\u00a0€', '2\u202f500\u00a0€', '300\u00a0€'])
      await expect(page.getByText(price)).toBeVisible()
  })
})

test.describe('the features', () => {
  const shown = (page: Page) => page.locator('article:visible').getByRole('heading')

  test('are chosen with the mouse, the keys and the address', async ({ page }) => {
    await openInteractive(page, '/features')
    await expect(page.getByRole('radio')).toHaveCount(4)
    await expect(shown(page)).toHaveText('Chaque kilowattheure a une origine et un destinataire')
    await page.getByText('Portail', { exact: true }).click()
    await expect(shown(page)).toHaveText('Une phrase, un graphique, une action')
    await expect(page).toHaveURL(/#portail$/)
    await page.keyboard.press('ArrowLeft')
    await expect(shown(page)).toHaveText('Savoir avant de poser le premier panneau')
    await openInteractive(page, '/features#mesures')
    await expect(shown(page)).toHaveText('Une journée se lit au quart d’heure')
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })
    test('are chosen too', async ({ page }) => {
      await page.goto('/features')
      await page.getByText('Études', { exact: true }).click()
      await expect(shown(page)).toHaveText('Savoir avant de poser le premier panneau')
    })
  })
})

test('the home page shows what it must, and opens the booking and the simulator', async ({ page }) => {
  await openInteractive(page, '/home')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Intelligence Énergétique Avancée')
  for (const id of ['platform', 'solutions', 'expertise', 'testimonials'])
    await expect(page.locator(`section#${id}`)).toBeVisible()
  await expect(page.locator('#testimonials').getByText('Exemple', { exact: true })).toHaveCount(3)
  for (const name of ['Demander une démo', 'Simuler mon projet']) {
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('every public address is listed, out of sight of search engines', async ({ page }) => {
  await page.goto('/test-nav')
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  for (const { path } of pages.filter((one) => !one.path.includes(':')))
    await expect(page.getByRole('main').locator(`a[href="${path}"]`)).toHaveCount(1)
})
