import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addDays, dayOf } from '@voisol/energy/calendar'
import { trackRequests } from '../fixtures.ts'
import {
  createOperationInWizard,
  getButton,
  getLink,
  importReadings,
  registerThroughSite,
  startOperation,
} from './first-desk.ts'
import { countClicks, type InputDriver, keyboardDriver, pointerDriver, reportClicks } from './hands.ts'
import { expect, readMailedLink, TEST_PASSWORD, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const FIRST = addDays(TODAY, -3)
/** Thirty in all, of which the links in two mails are opened elsewhere. */
const WAYS = [
  { name: 'at a desk', hands: pointerDriver, width: 1440, most: 28 },
  { name: 'on a telephone', hands: pointerDriver, width: 390, most: 28 },
  { name: 'without a pointer', hands: keyboardDriver, width: 1440, most: 0 },
]

async function invites(page: Page, hands: InputDriver, confirmation: string) {
  await page.goto(confirmation)
  await hands.press(getButton(page, 'Confirmer mon adresse e-mail'))
  await hands.press(getLink(page, 'Revenir au tableau de bord'))
  await hands.press(getLink(page, 'Inviter un participant'))
  await hands.press(getLink(page, 'Camille Durand'))
  await hands.press(getButton(page, 'Inviter au portail'))
  await expect(getButton(page, 'Renvoyer l’invitation')).toBeVisible()
}

async function looks(page: Page, hands: InputDriver, path: string) {
  await page.goto(path)
  await hands.write(page.getByLabel('Mot de passe', { exact: true }), TEST_PASSWORD)
  await hands.press(getButton(page, 'Accepter l’invitation'))
  await hands.press(page.getByRole('checkbox', { name: /^Collecte de mes mesures/ }))
  await hands.press(getButton(page, 'Enregistrer mes choix'))
  await expect(page.getByRole('figure', { name: /^Jour par jour/ })).toBeVisible()
}

for (const { name, hands, width, most } of WAYS)
  test(`a new organiser, ${name}: from registration to a client’s first chart`, async ({ browser, request }) => {
    test.slow() // the whole way, from a visitor to a member
    const clicks = { count: 0 }
    const open = async () => {
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      await countClicks(context, clicks)
      const page = await context.newPage()
      trackRequests(page)
      return page
    }
    const page = await open()
    const email = `elodie-${randomUUID().slice(0, 8)}@exemple.fr`
    await registerThroughSite(page, hands, email)
    await createOperationInWizard(page, hands, { from: FIRST, client: `camille-${email}` })
    await startOperation(page, hands)
    await importReadings(page, hands, { from: FIRST, to: TODAY })
    await invites(page, hands, await readMailedLink(request, email, /\/login\?verify=[\w-]+/))
    await looks(await open(), hands, await readMailedLink(request, `camille-${email}`))
    reportClicks(`a new organiser, ${name}`, clicks)
    expect(clicks.count).toBeLessThanOrEqual(most)
  })
