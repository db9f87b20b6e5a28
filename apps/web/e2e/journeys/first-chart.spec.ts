import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addDays, dayOf } from '@voisol/energy/calendar'
import { watchCalls } from '../fixtures.ts'
import { comesUp } from '../sampling.ts'
import { bringsReadings, button, foundsOperation, link, registers, startsIt } from './first-desk.ts'
import { countClicks, type Hands, keyboard, pointer, tell } from './hands.ts'
import { expect, mailed, SECRET, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const FIRST = addDays(TODAY, -3)
/** Thirty in all, of which the links in two mails are opened elsewhere. */
const WAYS = [
  { name: 'at a desk', hands: pointer, width: 1440, most: 28 },
  { name: 'on a telephone', hands: pointer, width: 390, most: 28 },
  { name: 'without a pointer', hands: keyboard, width: 1440, most: 0 },
]

async function invites(page: Page, hands: Hands, confirmation: string) {
  await page.goto(confirmation)
  await hands.press(button(page, 'Confirmer mon adresse e-mail'))
  await hands.press(link(page, 'Revenir au tableau de bord'))
  await hands.press(link(page, 'Inviter un participant'))
  await hands.press(link(page, 'Camille Durand'))
  await hands.press(button(page, 'Inviter au portail'))
  await expect(button(page, 'Renvoyer l’invitation')).toBeVisible()
}

async function looks(page: Page, hands: Hands, path: string) {
  await page.goto(path)
  await hands.write(page.getByLabel('Mot de passe', { exact: true }), SECRET)
  await hands.press(button(page, 'Accepter l’invitation'))
  await hands.press(page.getByRole('checkbox', { name: /^Collecte de mes mesures/ }))
  await hands.press(button(page, 'Enregistrer mes choix'))
  await expect(page.getByRole('figure', { name: /^Jour par jour/ })).toBeVisible()
}

for (const { name, hands, width, most } of WAYS.filter((_, at) => comesUp(at, WAYS.length)))
  test(`a new organiser, ${name}: from registration to a client’s first chart`, async ({ browser, request }) => {
    test.slow() // the whole way, from a visitor to a member
    const clicks = { count: 0 }
    const open = async () => {
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      await countClicks(context, clicks)
      const page = await context.newPage()
      watchCalls(page)
      return page
    }
    const page = await open()
    const email = `elodie-${randomUUID().slice(0, 8)}@exemple.fr`
    await registers(page, hands, email)
    await foundsOperation(page, hands, { from: FIRST, client: `camille-${email}` })
    await startsIt(page, hands)
    await bringsReadings(page, hands, { from: FIRST, to: TODAY })
    await invites(page, hands, await mailed(request, email, /\/login\?verify=[\w-]+/))
    await looks(await open(), hands, await mailed(request, `camille-${email}`))
    tell(`a new organiser, ${name}`, clicks)
    expect(clicks.count).toBeLessThanOrEqual(most)
  })
