import type { Page } from '@playwright/test'
import { expect, openInteractive, test } from './fixtures.ts'

const PHONE = { width: 390, height: 844 }

test('the home page of a telephone takes nine screens at most', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height / PHONE.height).toBeLessThanOrEqual(9)
})

test.describe('a day of the demonstration', () => {
  const read = (page: Page) => page.locator('#journee').getByText(/^\d+\sh\s\d\d – /)

  test('is moved along with the keyboard and with the pointer, and says what it shows', async ({ page }) => {
    await openInteractive(page, '/')
    const time = page.getByRole('slider', { name: 'Déplacez l’heure' })
    await expect(read(page)).toHaveText(/^13\sh\s00 – 13\sh\s15$/)
    await time.focus()
    await page.keyboard.press('ArrowRight')
    await expect(read(page)).toHaveText(/^13\sh\s15/)
    await expect(time).toHaveAttribute('aria-valuetext', /^13\sh\s15 – 13\sh\s30\s: [\d,]+\skWh produits/)
    await page.keyboard.press('Home')
    await expect(read(page)).toHaveText(/^0\sh\s00/)
    const chart = page.locator('#journee svg[preserveAspectRatio=none]')
    const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    await chart.hover({ position: { x: width * 0.75 + 1, y: height / 2 } })
    await expect(read(page)).toHaveText(/^18\sh\s00/)
    await page.locator('#journee').getByText('Voir le tableau').click()
    await expect(page.locator('#journee tbody tr')).toHaveCount(25)
  })

  test.describe('without script', () => {
    test.use({ javaScriptEnabled: false })
    test('stands at one o’clock, and offers nothing that would not answer', async ({ page }) => {
      await page.goto('/')
      await expect(read(page)).toHaveText(/^13\sh\s00/)
      await expect(page.locator('#journee input[type=range]')).toBeHidden()
    })
  })
})

test('no column of a table is hidden on a telephone', async ({ page }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const written = ['choisir-une-cle-exemple-chiffre', 'dimensionner-un-toit', 'accise-et-tva']
  const addresses = [
    ...written.map((slug) => `/resources/actualites/${slug}`),
    '/features',
    '/expertise/data-science',
    '/expertise/conception',
    '/rgpd',
  ]
  for (const path of addresses) {
    await page.goto(path)
    const clipped = await page.evaluate(
      () =>
        [...document.querySelectorAll('main table')].filter((table) => {
          const around = table.parentElement
          return around !== null && around.scrollWidth > around.clientWidth + 1
        }).length,
    )
    expect(clipped, path).toBe(0)
  }
})
