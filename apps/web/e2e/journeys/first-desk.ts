import type { Page } from '@playwright/test'
import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import type { InputDriver } from './hands.ts'
import { expect, TEST_PASSWORD } from './people.ts'

const [ROOF, CAMILLE, INES] = ['19125759660100', '19125759660110', '19125759660111']
export const formatFrenchDay = (day: string) => day.split('-').reverse().join('/')

/** The roof of a school and two neighbours; where they live, for whoever is to be invoiced. */
const buildParticipantsFile = ({ from, client }: { from: string; client: string }) => {
  const place = '12 rue des Lilas;69003;Lyon'
  return {
    name: 'voisins.csv',
    text: [
      'Type;Organisation;Prénom;Nom;SIREN;E-mail;PRM;Sens;Puissance souscrite (kVA);Puissance crête (kWc);Date d’entrée;Adresse;Code postal;Ville',
      `Organisation;École Prévert;;;552081317;;${ROOF};Production;;9;${formatFrenchDay(from)};${place}`,
      `Personne;;Camille;Durand;;${client};${CAMILLE};Consommation;6;;${formatFrenchDay(from)};${place}`,
      `Personne;;Inès;Moreau;;;${INES};Consommation;6;;${formatFrenchDay(from)};${place}`,
    ].join('\n'),
  }
}

type DayRange = { from: string; to: string }
const buildReadingsFile = ({ from, to }: DayRange) => {
  const rows = listDays(from, to).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
      const stamp = new Date((dayStart(day) + at * 15) * 60_000).toISOString()
      return [stamp, Math.max(0, 730 - (at - 48) ** 2), 310 + at, 170].join(';')
    }),
  )
  return { name: 'jours.csv', text: [`Début;${ROOF} (W);${CAMILLE} (W);${INES} (W)`, ...rows, ''].join('\n') }
}

export const getButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
export const getLink = (page: Page, name: string | RegExp) => page.getByRole('link', { name })

export async function registerThroughSite(page: Page, hands: InputDriver, email: string) {
  await page.goto('/')
  await hands.press(page.getByRole('main').getByRole('link', { name: /essai/i }).first())
  await hands.write(page.getByLabel('Prénom'), 'Élodie')
  await hands.write(page.getByLabel('Nom', { exact: true }), 'Garnier')
  await hands.write(page.getByLabel('Nom de votre organisation'), 'Les Toits d’en Face')
  await hands.write(page.getByLabel('Adresse e-mail'), email)
  await hands.write(page.getByLabel('Mot de passe', { exact: true }), TEST_PASSWORD)
  await hands.press(getButton(page, /^Commencer mes 30/))
  await expect(page).toHaveURL('/dashboard')
}

/** `price` in c€/kWh, for whoever goes on to invoice. */
export async function createOperationInWizard(
  page: Page,
  hands: InputDriver,
  { price, ...who }: { from: string; client: string; price?: string },
) {
  const next = () => hands.press(getButton(page, 'Continuer'))
  await hands.press(getLink(page, 'Créer une opération'))
  await hands.write(page.getByLabel('Nom de l’opération'), 'Les Jardins de Prévert')
  await hands.write(page.getByLabel('Numéro ACC'), `ACC${String(Date.now()).slice(-8)}`)
  await hands.write(page.getByLabel('Date de début'), formatFrenchDay(who.from))
  for (let step = 0; step < 4; step += 1) await next()
  await hands.give(page.getByLabel('Choisir un fichier'), buildParticipantsFile(who))
  await hands.press(getButton(page, /^Reprendre 3\slignes valables/))
  for (let step = 0; step < 2; step += 1) await next()
  if (price) await hands.write(page.getByLabel('Prix de vente, en c€/kWh'), price)
  await next()
  await hands.press(getButton(page, 'Créer l’opération'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Les Jardins de Prévert')
}

export async function startOperation(page: Page, hands: InputDriver) {
  await hands.press(getButton(page, 'Mettre en service'))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Mettre en service' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

export async function importReadings(page: Page, hands: InputDriver, days: DayRange) {
  await hands.press(getLink(page, 'Importer des courbes'))
  await hands.give(page.getByLabel('Choisir des fichiers'), buildReadingsFile(days))
  await hands.press(getButton(page, 'Enregistrer'))
  await hands.press(getLink(page, 'Répartir ces jours'))
  await hands.press(getButton(page, 'Lancer un calcul'))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Lancer le calcul' }))
  await expect(page.getByText(/pas vérifiés, 0\sécart/).first()).toBeVisible({ timeout: 90_000 })
}
