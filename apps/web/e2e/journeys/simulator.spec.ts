import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, openInteractive, test, waitForAlert } from '../fixtures.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const calculate = (page: Page) => dialog(page).getByRole('button', { name: 'Calculer mon estimation' })
const results = (page: Page) => dialog(page).getByRole('region', { name: 'Résultats de la simulation' })

async function openSimulator(page: Page) {
  await openInteractive(page, '/home')
  await page.getByRole('button', { name: 'Simuler mon projet' }).first().click()
  await expect(dialog(page)).toBeVisible()
}

async function estimate(page: Page) {
  await dialog(page).getByLabel('Puissance installée').fill('100')
  await dialog(page).getByLabel('Consommation annuelle').fill('200 000')
  await calculate(page).click()
}

test('the button waits for power and consumption', async ({ page }) => {
  await openSimulator(page)
  await expect(calculate(page)).toBeDisabled()
  await dialog(page).getByLabel('Puissance installée').fill('100')
  await expect(calculate(page)).toBeDisabled()
  await dialog(page).getByLabel('Consommation annuelle').fill('beaucoup')
  await expect(dialog(page).getByText('Nombre attendu, par exemple')).toBeVisible()
  await expect(calculate(page)).toBeDisabled()
  await dialog(page).getByLabel('Consommation annuelle').fill('1 000')
  await expect(calculate(page)).toBeEnabled()
  await expect(results(page)).toHaveCount(0)
})

test('the figures are those of the published formulas', async ({ page }) => {
  await openSimulator(page)
  await estimate(page)
  // 100 × 1 100; 60 + 100 / 200 000 × 20; × 0,15; 120 000 − 36 000; 84 000 / 9 901,65; × 0,221
  for (const [label, figure] of [
    ['Production annuelle', /110.000/],
    ['Taux d’autoconsommation', /^60/],
    ['Économies annuelles', /9.902/],
    ['Investissement net', /84.000/],
    ['Retour sur investissement', /8,5/],
    ['CO₂ évité', /14.588/],
  ] as const) {
    const term = results(page).getByText(label, { exact: true })
    await expect(term.locator('xpath=following-sibling::dd')).toHaveText(figure)
  }
  await expect(results(page).getByText('Projection sur 20 ans')).toBeVisible()
  await expectAccessible(page)
})

test('the report is downloaded, and its failure is told by an alert', async ({ page }) => {
  await openSimulator(page)
  await estimate(page)
  const report = results(page).getByRole('button', { name: 'Télécharger le rapport PDF' })
  const download = page.waitForEvent('download')
  await report.click()
  expect((await download).suggestedFilename()).toMatch(/simulation.*\.pdf$/)
  await page.route('**/api/pdf/generate-simulation-report', (route) => route.fulfill({ status: 500, body: '' }))
  const told = waitForAlert(page)
  await report.click()
  expect(await told).toBe('Erreur lors de la génération du rapport PDF')
})

test('the hourly profile stands apart and explains the difference', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openSimulator(page)
  await dialog(page).getByLabel('Localisation').selectOption('occitanie')
  await estimate(page)
  await results(page).getByRole('button', { name: 'Affiner mon estimation' }).click()
  await expect(results(page).getByText('D’où vient l’écart')).toBeVisible()
  await expect(results(page).getByRole('table', { name: 'Estimation rapide et profil horaire' })).toBeVisible()
  await expectNoOverflow(page)
  await expectAccessible(page)
})
