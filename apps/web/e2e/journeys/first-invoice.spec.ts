import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import {
  createOperationInWizard,
  formatFrenchDay,
  getButton,
  getLink,
  importReadings,
  registerThroughSite,
  startOperation,
} from './first-desk.ts'
import { countClicks, type InputDriver, pointerDriver, reportClicks } from './hands.ts'
import { expect, test } from './people.ts'

const THIS = monthOf(dayOf(Math.floor(Date.now() / 60_000)))
const FIRST = addMonths(THIS, -1)
const MAX_CLICKS = 45

/** Who sells, under which regime and by whose word. */
async function namesSeller(page: Page, hands: InputDriver) {
  await hands.press(page.locator('main a[href*="tab=sellers"]').first())
  await hands.press(getButton(page, 'Ajouter un vendeur'))
  await hands.press(getButton(page, 'Choisir École Prévert'))
  await hands.press(getButton(page, 'Ajouter ce vendeur'))
  await hands.press(getButton(page, 'Dire son régime'))
  await hands.press(page.getByRole('radio', { name: /^Franchise en base/ }))
  await hands.write(page.getByLabel('À partir du'), formatFrenchDay(FIRST))
  await hands.press(getButton(page, 'Enregistrer le régime'))
  await hands.press(getButton(page, 'Enregistrer un mandat'))
  await hands.write(page.getByLabel('Signé le'), formatFrenchDay(FIRST))
  await hands.write(page.getByLabel('À partir du'), formatFrenchDay(FIRST))
  await hands.press(getButton(page, 'Enregistrer le mandat'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The price that was given with the operation, adopted. */
async function adoptsPrice(page: Page, hands: InputDriver) {
  await hands.press(getLink(page, 'Tarifs et réglages'))
  await hands.press(getLink(page, 'Préparer un tarif'))
  await hands.press(getButton(page, 'Enregistrer le brouillon'))
  await hands.press(getButton(page, 'Adopter ce tarif'))
  await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Adopter ce tarif' }))
  await expect(page.getByText('Cette version ne change plus.')).toBeVisible()
}

async function issues(page: Page, hands: InputDriver) {
  // A provisional run is billed for a reason.
  await hands.write(page.getByLabel('Raison de clôturer malgré ces réserves'), 'Sans attendre les quantités d’Enedis.')
  const asked = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await hands.press(getButton(page, 'Clôturer le mois'))
  await hands.press(asked.getByRole('button', { name: 'Clôturer le mois' }))
  await hands.press(getButton(page, /^Émettre/).first())
  await hands.press(asked.getByRole('button', { name: /^Émettre/ }))
  await expect(page.getByText('Documents émis par')).toBeVisible()
}

test('a new organiser: from registration to the first invoice', async ({ browser }) => {
  test.slow() // the whole way, from a visitor to an invoice
  const clicks = { count: 0 }
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await countClicks(context, clicks)
  const page = await context.newPage()
  const email = `elodie-${randomUUID().slice(0, 8)}@exemple.fr`
  await registerThroughSite(page, pointerDriver, email)
  await createOperationInWizard(page, pointerDriver, { from: FIRST, client: '', price: '14,37' })
  await startOperation(page, pointerDriver)
  await importReadings(page, pointerDriver, { from: FIRST, to: THIS })
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Partagez votre premier kilowattheure' })
  await expect(steps.getByText('6 étapes sur 8 sont faites.')).toBeVisible()
  await pointerDriver.press(getLink(page, 'Ouvrir la facturation'))
  await namesSeller(page, pointerDriver)
  await adoptsPrice(page, pointerDriver)
  await pointerDriver.press(getLink(page, 'Facturer et encaisser').first())
  await issues(page, pointerDriver)
  reportClicks('a new organiser, to the first invoice', clicks)
  // The way back to the dashboard is one more, which the address stood for.
  expect(clicks.count + 1).toBeLessThanOrEqual(MAX_CLICKS)
  await page.goto('/getting-started')
  await expect(page.getByText('7 étapes sur 8 sont faites.')).toBeVisible()
})
