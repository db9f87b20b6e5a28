import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, openInteractive, test } from '../fixtures.ts'
import { readMailedLink } from './people.ts'

const PAGE = '/rejoindre/residence-les-tilleuls-1'
const PHONE = { width: 390, height: 844 }

/** From the field that has the focus to the next, as a keyboard does. */
async function type(page: Page, words: readonly string[]) {
  for (const word of words) {
    if (word) await page.keyboard.type(word)
    await page.keyboard.press('Tab')
  }
}

test('a visitor joins by keyboard on a telephone, the organiser accepts, and the participation has its day', async ({
  page,
  request,
  signedIn,
}) => {
  const email = `rejoint-${randomUUID().slice(0, 8)}@exemple.fr`
  const prm = `194${String(randomInt(1e11)).padStart(11, '0')}`
  await page.setViewportSize(PHONE)
  await openInteractive(page, PAGE)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rejoindre Résidence Les Tilleuls')
  await expectNoOverflow(page)
  await page.getByLabel('Votre consommation d’une année').fill('3 250')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/d’énergie locale, soit \d+/)).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Prénom').focus()
  await type(page, ['Maud', 'Keller', email, '', '9 rue des Tilleuls', '69007', 'Lyon', prm, '', '', ''])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Un e-mail vient de vous être envoyé')).toBeVisible()

  const link = await readMailedLink(request, email, /\/rejoindre\?operation=[\w-]+&(?:amp;)?cle=[\w.-]+/)
  await openInteractive(page, link.replace('&amp;', '&'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lire l’accord et le signer')
  await expectNoOverflow(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Signer l’accord' }).press('Enter')
  await expect(page.getByText('cochez la première case')).toBeVisible()
  // The first box has the focus: it is ticked, the three others are left, and the name follows.
  await page.keyboard.press('Space')
  for (let box = 0; box < 4; box++) await page.keyboard.press('Tab')
  await page.keyboard.type('Maud Keller')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Votre demande est signée')
  const paper = page.getByRole('link', { name: 'Télécharger l’accord signé (PDF)' })
  const file = await request.get((await paper.getAttribute('href')) ?? '')
  expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf'])

  await page.setViewportSize({ width: 1440, height: 900 })
  await signedIn('admin')
  await page.goto(`/applications?q=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: 'Ouvrir la demande de Maud Keller' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/Maud Keller, .* depuis /)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Accepter l’entrée' }).click()
  await expect(page.getByText('Demande acceptée', { exact: true })).toBeVisible()
  // The welcome and the invitation leave together, in either order.
  await readMailedLink(request, email, /à partir du \d{2}\/\d{2}\/\d{4}|invitation=/)
  await page.goto(`/participants?q=${encodeURIComponent(email)}`)
  await expect(page.getByRole('row').filter({ hasText: 'Maud Keller' })).toContainText('À venir')
})

test('a participant sees the notice and what follows, asks to leave, and takes it back', async ({ page, signedIn }) => {
  await page.setViewportSize(PHONE)
  await signedIn('client')
  await page.goto('/client-portal/profile')
  await page.getByRole('link', { name: 'Voir comment partir' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quitter ou déménager')
  await expect(page.getByText(/Préavis de \d+/).first()).toBeVisible()
  await expect(page.getByText('Une dernière facture suit')).toBeVisible()
  await expectNoOverflow(page)
  await expectAccessible(page)
  await page
    .getByRole('button', { name: /^Quitter / })
    .first()
    .press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/demande à quitter l’opération le \d{2}/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Votre signature').fill('Client Démo')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Votre demande est envoyée', { exact: true })).toBeVisible()
  const asked = page.getByRole('listitem').filter({ hasText: 'À étudier' })
  await expect(asked.getByText(/^Départ demandé pour le/)).toBeVisible()
  await asked.getByRole('button', { name: 'Retirer ma demande' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer ma demande' }).click()
  await expect(page.getByText('Votre demande est retirée', { exact: true })).toBeVisible()
})

test('a page that is closed is nowhere, and its settings say what is signed', async ({ page, request, signedIn }) => {
  expect((await request.get('/rejoindre/personne-ne-tient-ceci-1')).status()).toBe(404)
  await signedIn('admin')
  await page.goto('/acc-operations')
  await page
    .getByRole('link', { name: /Les Tilleuls/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'Participants' }).click()
  await page.getByRole('link', { name: /^Page «/ }).click()
  const open = page.getByRole('checkbox', { name: /Ouvrir la page/ })
  const save = page.getByRole('button', { name: 'Enregistrer la page' })
  await expect(open).toBeChecked()
  await expectAccessible(page)
  await open.uncheck()
  await save.click()
  await expect(page.getByText('La page est fermée', { exact: true })).toBeVisible()
  expect((await request.get(PAGE)).status()).toBe(404)
  await open.check()
  await save.click()
  await expect(page.getByText('La page est ouverte', { exact: true })).toBeVisible()
  expect((await request.get(PAGE)).status()).toBe(200)
})
