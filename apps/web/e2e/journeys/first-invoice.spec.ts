import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import { bringsReadings, button, foundsOperation, french, link, registers, startsIt } from './first-desk.ts'
import { countClicks, type Hands, pointer, tell } from './hands.ts'
import { expect, test } from './people.ts'

const THIS = monthOf(dayOf(Math.floor(Date.now() / 60_000)))
const FIRST = addMonths(THIS, -1)
const MOST = 45

/** Who sells, under which regime and by whose word. */
async function namesSeller(page: Page, hands: Hands) {
  await hands.press(page.locator('main a[href*="tab=sellers"]').first())
  await hands.press(button(page, 'Ajouter un vendeur'))
  await hands.press(button(page, 'Choisir École Prévert'))
  await hands.press(button(page, 'Ajouter ce vendeur'))
  await hands.press(button(page, 'Dire son régime'))
  await hands.press(page.getByRole('radio', { name: /^Franchise en base/ }))
  await hands.write(page.getByLabel('À partir du'), french(FIRST))
  await hands.press(button(page, 'Enregistrer le régime'))
  await hands.press(button(page, 'Enregistrer un mandat'))
  await hands.write(page.getByLabel('Signé le'), french(FIRST))
  await hands.write(page.getByLabel('À partir du'), french(FIRST))
  await hands.press(button(page, 'Enregistrer le mandat'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The price that was given with the operation, adopted. */
async function adoptsPrice(page: Page, hands: Hands) {
  await hands.press(link(page, 'Tarifs et réglages'))
  await hands.press(link(page, 'Préparer un tarif'))
  await hands.press(button(page, 'Enregistrer le brouillon'))
  await hands.press(button(page, 'Adopter ce tarif'))
  await hands.press(page.getByRole('alertdialog').getByRole('button', { name: 'Adopter ce tarif' }))
  await expect(page.getByText('Cette version ne change plus.')).toBeVisible()
}

async function issues(page: Page, hands: Hands) {
  // A provisional run is billed for a reason.
  await hands.write(page.getByLabel('Raison de clôturer malgré ces réserves'), 'Sans attendre les quantités d’Enedis.')
  const asked = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await hands.press(button(page, 'Clôturer le mois'))
  await hands.press(asked.getByRole('button', { name: 'Clôturer le mois' }))
  await hands.press(button(page, /^Émettre/).first())
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
  await registers(page, pointer, email)
  await foundsOperation(page, pointer, { from: FIRST, client: '', price: '14,37' })
  await startsIt(page, pointer)
  await bringsReadings(page, pointer, { from: FIRST, to: THIS })
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Partagez votre premier kilowattheure' })
  await expect(steps.getByText('6 étapes sur 8 sont faites.')).toBeVisible()
  await pointer.press(link(page, 'Ouvrir la facturation'))
  await namesSeller(page, pointer)
  await adoptsPrice(page, pointer)
  await pointer.press(link(page, 'Facturer et encaisser').first())
  await issues(page, pointer)
  tell('a new organiser, to the first invoice', clicks)
  // The way back to the dashboard is one more, which the address stood for.
  expect(clicks.count + 1).toBeLessThanOrEqual(MOST)
  await page.goto('/getting-started')
  await expect(page.getByText('7 étapes sur 8 sont faites.')).toBeVisible()
})
