import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addDays, dayOf, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { watchCalls } from '../fixtures.ts'
import { comesUp } from '../sampling.ts'
import { countClicks, type Hands, keyboard, pointer, tell } from './hands.ts'
import { expect, mailed, SECRET, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
const FIRST = addDays(TODAY, -3)
const french = (day: string) => day.split('-').reverse().join('/')
const [ROOF, CAMILLE, INES] = ['19125759660100', '19125759660110', '19125759660111']

const people = (email: string) => ({
  name: 'voisins.csv',
  text: [
    'Type;Organisation;Prénom;Nom;E-mail;PRM;Sens;Puissance souscrite (kVA);Puissance crête (kWc);Date d’entrée',
    `Organisation;École Prévert;;;;${ROOF};Production;;9;${french(FIRST)}`,
    `Personne;;Camille;Durand;${email};${CAMILLE};Consommation;6;;${french(FIRST)}`,
    `Personne;;Inès;Moreau;;${INES};Consommation;6;;${french(FIRST)}`,
  ].join('\n'),
})

const readings = () => {
  const rows = listDays(FIRST, TODAY).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
      const stamp = new Date((dayStart(day) + at * 15) * 60_000).toISOString()
      return [stamp, Math.max(0, 730 - (at - 48) ** 2), 310 + at, 170].join(';')
    }),
  )
  return { name: 'jours.csv', text: [`Début;${ROOF} (W);${CAMILLE} (W);${INES} (W)`, ...rows, ''].join('\n') }
}

/** Thirty in all, of which the links in two mails are opened elsewhere. */
const WAYS = [
  { name: 'at a desk', hands: pointer, width: 1440, most: 28 },
  { name: 'on a telephone', hands: pointer, width: 390, most: 28 },
  { name: 'without a pointer', hands: keyboard, width: 1440, most: 0 },
]

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })

async function registers(page: Page, hands: Hands, email: string) {
  await page.goto('/')
  await hands.press(page.getByRole('main').getByRole('link', { name: /essai/i }).first())
  await hands.write(page.getByLabel('Prénom'), 'Élodie')
  await hands.write(page.getByLabel('Nom', { exact: true }), 'Garnier')
  await hands.write(page.getByLabel('Nom de votre organisation'), 'Les Toits d’en Face')
  await hands.write(page.getByLabel('Adresse e-mail'), email)
  await hands.write(page.getByLabel('Mot de passe', { exact: true }), SECRET)
  await hands.press(button(page, /^Commencer mes 30/))
  await expect(page).toHaveURL('/dashboard')
}

async function foundsOperation(page: Page, hands: Hands, client: string) {
  const next = () => hands.press(button(page, 'Continuer'))
  await hands.press(link(page, 'Créer une opération'))
  await hands.write(page.getByLabel('Nom de l’opération'), 'Les Jardins de Prévert')
  await hands.write(page.getByLabel('Numéro ACC'), `ACC${String(Date.now()).slice(-8)}`)
  await hands.write(page.getByLabel('Date de début'), french(FIRST))
  for (let step = 0; step < 4; step += 1) await next()
  await hands.give(page.getByLabel('Choisir un fichier'), people(client))
  await hands.press(button(page, /^Reprendre 3\slignes valables/))
  for (let step = 0; step < 3; step += 1) await next()
  await hands.press(button(page, 'Créer l’opération'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Les Jardins de Prévert')
}

async function startsIt(page: Page, hands: Hands) {
  await hands.press(button(page, 'Mettre en service'))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Mettre en service' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function bringsReadings(page: Page, hands: Hands) {
  await hands.press(link(page, 'Importer des courbes'))
  await hands.give(page.getByLabel('Choisir des fichiers'), readings())
  await hands.press(button(page, 'Enregistrer'))
  await hands.press(link(page, 'Répartir ces jours'))
  await hands.press(button(page, 'Lancer un calcul'))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Lancer le calcul' }))
  await expect(page.getByText(/pas vérifiés, 0\sécart/).first()).toBeVisible({ timeout: 30_000 })
}

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
    await foundsOperation(page, hands, `camille-${email}`)
    await startsIt(page, hands)
    await bringsReadings(page, hands)
    await invites(page, hands, await mailed(request, email, /\/login\?verify=[\w-]+/))
    await looks(await open(), hands, await mailed(request, `camille-${email}`))
    tell(`a new organiser, ${name}`, clicks)
    expect(clicks.count).toBeLessThanOrEqual(most)
  })
