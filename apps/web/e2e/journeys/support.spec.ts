import type { Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import {
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  readMailedLink,
  register,
  signInElsewhere,
  test,
} from './people.ts'
import { sendInboundMail } from './smtp.ts'

const field = (page: Page) => page.getByLabel('Votre réponse')

test('a client asks by keyboard on a phone, the fast desk answers, the client goes on by mail, it is solved and rated', async ({
  page,
  admin,
  browser,
  request,
}) => {
  const client = await inviteAndAccept(request, admin, { firstName: 'Zoé', lastName: 'Martin', role: 'client' })
  const phone = await openAs(browser, client)
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto('/client-portal/support')
  await expect(phone.getByRole('heading', { name: 'Aucune demande pour l’instant' })).toBeVisible()
  await expectAccessibleAndNoOverflow(phone)
  await phone.getByRole('main').getByRole('button', { name: 'Poser une question' }).last().press('Enter')
  await phone.getByLabel('Votre question en quelques mots').fill('Le montant de ma facture')
  await expect(phone.getByRole('region', { name: 'Réponses possibles' })).toContainText(/factur/i)
  await phone.getByLabel('Sujet').selectOption({ label: 'Facture et paiement' })
  const send = phone.getByRole('button', { name: 'Envoyer la demande' })
  await send.press('Enter')
  await expect(phone.getByLabel('Votre message')).toHaveAccessibleDescription(/Écrivez votre message/)
  await phone.getByLabel('Votre message').fill('Pourquoi a-t-il doublé ?')
  await expectAccessibleAndNoOverflow(phone)
  await send.press('Enter')
  await expect(phone.getByRole('heading', { name: /n°\s1 · Le montant de ma facture/ })).toBeVisible()

  await page.goto('/dashboard/support-optimized')
  await expect(page.getByRole('heading', { level: 2, name: /Le montant de ma facture/ })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('r')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Bonjour Zoé, la période compte deux mois.')
  await page.keyboard.press('Control+Enter')
  await expect(getToast(page)).toHaveText(/Réponse envoyée/)

  const to = await readMailedLink(request, client.email, /reply\+[\w-]+\.[0-9a-f]+@reponses\.exemple\.fr/)
  await phone.reload()
  await expect(phone.getByRole('list', { name: 'Messages' })).toContainText('la période compte deux mois')
  expect(await sendInboundMail({ from: client.email, to, text: 'Merci, je comprends.\n\n> Bonjour Zoé' })).toMatch(
    /^250/,
  )

  await page.reload()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Merci, je comprends.')
  await page.getByRole('button', { name: 'Note interne' }).click()
  await page.getByLabel(/Note pour l’équipe/).fill('Cliente patiente.')
  await page.getByRole('button', { name: 'Garder la note' }).click()
  await expect(page.getByRole('region', { name: 'Notes internes' })).toContainText('Cliente patiente.')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('e')
  await expect(getToast(page)).toHaveText(/Suivi enregistré/)

  await phone.reload()
  await expect(phone.getByRole('main')).not.toContainText('Cliente patiente')
  await phone.getByRole('radio', { name: /4 sur 5/ }).check({ force: true })
  await phone.getByLabel('Un mot de plus').fill('Rapide')
  await phone.getByRole('button', { name: 'Donner mon avis' }).press('Enter')
  await expect(getToast(phone)).toHaveText(/Merci de votre avis/)
  await expectAccessibleAndNoOverflow(phone)

  await page.goto('/support-admin?tab=chiffres')
  await expect(page.getByText('4,0 sur 5').first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})

test('an organiser asks the keeper of the installation, and searches the help', async ({ page, request, admin }) => {
  await page.goto('/support')
  await page.getByLabel('Chercher dans l’aide').fill('repartitoin')
  await expect(page.getByRole('link', { name: /répartition/i }).first()).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Poser une question' }).first().click()
  await page.getByLabel('Votre question en quelques mots').fill('Nos copies de la nuit')
  await page.getByLabel('Votre message').fill('Où sont-elles gardées ?')
  await page.getByRole('button', { name: 'Envoyer la demande' }).click()
  await expect(page.getByRole('heading', { name: /Nos copies de la nuit/ })).toBeVisible()
  const others = await register(request)
  const seen = await request.get('/api/support/desk/tickets?view=all', {
    headers: { authorization: `Bearer ${others.token}` },
  })
  expect(await seen.text()).not.toContain('Nos copies')
  expect(admin.companyId).not.toBe(others.companyId)
  await page.goto('/faq-autoconsommation?q=facture')
  await expect(page.getByRole('heading', { name: 'Questions et guides' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})

test('a canned reply is kept with its fields, and the hours of the desk are set', async ({ page, admin: _ }) => {
  await page.goto('/support-admin?tab=reponses')
  await page.getByRole('button', { name: 'Ajouter une réponse type' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nom').fill('Reçu')
  await dialog.getByLabel('Texte').fill('Bonjour {{prénom}}')
  await dialog.getByRole('button', { name: 'Enregistrer la réponse type' }).click()
  await expect(dialog.getByLabel('Texte')).toHaveAccessibleDescription(/Un champ entre accolades est inconnu/)
  await dialog.getByLabel('Texte').fill('Bonjour {{prenom}}')
  await dialog.getByRole('button', { name: 'Enregistrer la réponse type' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Reçu' })).toBeVisible()
  await page.goto('/support-admin?tab=horaires')
  await page.getByLabel('samedi').check()
  await page.getByRole('button', { name: 'Enregistrer les horaires' }).click()
  await expect(getToast(page)).toHaveText(/Horaires enregistrés/)
  await page.reload()
  await expect(page.getByLabel('samedi')).toBeChecked()
  await expectAccessibleAndNoOverflow(page)
})

test('a question about an invoice leads to it, for the client and at the desk', async ({
  browser,
  request,
  page,
  admin: _,
}) => {
  const token = (who: 'admin' | 'client') =>
    signInElsewhere(request, { email: DEMO_EMAILS[who], password: DEMO_PASSWORD })
  const phone = await openAs(browser, { token: await token('client') })
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto('/client-portal/support?nouvelle=1')
  await phone.getByLabel('Votre question en quelques mots').fill('Cette facture, justement')
  const choice = phone.getByLabel(/Ce dont il s’agit/)
  const label = await choice.locator('option', { hasText: 'Facture' }).first().textContent()
  await choice.selectOption({ label: label ?? '' })
  await phone.getByLabel('Votre message').fill('Que veut dire cette ligne ?')
  await phone.getByRole('button', { name: 'Envoyer la demande' }).press('Enter')
  await expect(phone.getByRole('link', { name: label ?? '' })).toHaveAttribute(
    'href',
    /client-portal\/invoices\?facture=/,
  )
  const desk = await openAs(browser, { token: await token('admin') })
  await desk.goto('/support-admin?q=justement')
  await desk
    .getByRole('link', { name: /Cette facture, justement/ })
    .first()
    .click()
  const context = desk.getByRole('complementary', { name: 'Contexte de la demande' })
  await expect(context.getByRole('link', { name: label ?? '' })).toHaveAttribute('href', /^\/invoice\//)
  await expectAccessibleAndNoOverflow(desk)
  await page.close()
})
