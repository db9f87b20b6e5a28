import type { Page } from '@playwright/test'
import { expect, expectAccessibleAndNoOverflow, getToast } from './people.ts'

/** As it is typed and shown: the 15th of a month given as « 2026-05 ». */
const formatFifteenth = (month: string) => `15/${month.split('-').reverse().join('/')}`

/** Copies the tariff in force to a new price from the 15th, and adopts it. */
export async function changePrice(page: Page, operationId: string, month: string, price: string) {
  await page.goto(`/advanced-billing?tab=tarifs&operation=${operationId}`)
  await page.getByRole('link', { name: 'Copier dans une nouvelle version' }).click()
  await page.getByLabel('Applicable à partir du').fill(formatFifteenth(month))
  await page
    .getByRole('textbox', { name: /^Prix\s:/ })
    .first()
    .fill(price)
  await page.getByRole('button', { name: 'Enregistrer le brouillon' }).click()
  await page.getByRole('button', { name: 'Adopter ce tarif' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Adopter ce tarif' }).click()
  await expect(getToast(page)).toContainText('Version 2 adoptée')
}

/** A document of the month, opened before the month is closed: each price on its own days. */
export async function expectBothPricesInPreview(page: Page, buyer: string, prices: readonly string[]) {
  await page.getByRole('button', { name: new RegExp(`^Ouvrir le document de ${buyer}`) }).click()
  const opened = page.getByRole('region', { name: 'Prévisualiser' })
  for (const price of prices) await expect(opened.getByText(price).first()).toBeVisible()
  await expect(opened.getByText(/– 14\/\d\d\/\d{4}/).first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
}
