import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, openInteractive, test } from '../fixtures.ts'
import { readMailedLink } from './people.ts'

const visitor = () => `demande-${randomUUID().slice(0, 8)}@exemple.fr`

test('a message is checked beside its fields, sent once, answered by mail and seen at the desk', async ({
  page,
  request,
  signedIn,
}) => {
  const email = visitor()
  await openInteractive(page, '/contact')
  const send = page.getByRole('button', { name: 'Envoyer mon message' })
  await send.click()
  await expect(page.getByText('Ce champ est obligatoire.')).toHaveCount(5)
  await expect(page.getByLabel('Prénom')).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Prénom').fill('Inès')
  await page.getByLabel('Nom', { exact: true }).fill('Petit')
  await page.getByLabel('Adresse e-mail').fill('inès')
  await page.getByLabel('Sujet').selectOption('projet')
  await page.getByLabel('Votre message').fill('<script>alert(1)</script> bonjour')
  await send.click()
  await expect(page.getByText('Adresse e-mail attendue, par exemple nom@exemple.fr.')).toBeVisible()
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.context().setOffline(true)
  await send.click()
  await expect(page.getByRole('alert')).toContainText('Rien n’est perdu')
  await expect(page.getByLabel('Votre message')).toHaveValue('<script>alert(1)</script> bonjour')
  await page.context().setOffline(false)
  await send.dblclick()
  await expect(page.getByRole('status')).toBeVisible()
  await readMailedLink(request, email, /Voisol/)
  await signedIn('admin')
  await page.goto(`/admin/bookings?onglet=demandes&q=${encodeURIComponent(email)}`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: /^Ouvrir Inès/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('<script>alert(1)</script> bonjour')).toBeVisible()
  await dialog.getByLabel(/^Répondre/).fill('Bonjour, voici le lien : il est valable un an.')
  await dialog.getByRole('button', { name: 'Envoyer la réponse' }).click()
  await expect(page.getByText('Réponse envoyée', { exact: true })).toBeVisible()
  await readMailedLink(request, email, /valable un an/)
})

test('the letter is confirmed from its mail, and left in one click', async ({ page, request }) => {
  const email = visitor()
  await openInteractive(page, '/blog')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByRole('button', { name: 'Recevoir la lettre' }).click()
  await expect(page.getByRole('status')).toBeVisible()
  const link = await readMailedLink(request, email, /\/newsletter\?cle=[\w.~-]+/)
  await openInteractive(page, link)
  await page.getByRole('button', { name: 'Confirmer mon abonnement' }).click()
  await expect(page.getByRole('status')).toBeVisible()
  await page.getByRole('button', { name: 'Me désabonner' }).click()
  await expect(page.getByRole('status')).toBeVisible()
  await openInteractive(page, '/newsletter?cle=une-cle-inventee-de-toutes-pieces')
  await page.getByRole('button', { name: 'Confirmer mon abonnement' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
})

test('a white paper is read freely, and its PDF received', async ({ page, request }) => {
  const email = visitor()
  await openInteractive(page, '/white-papers')
  await page.locator('main a[href^="/white-papers/"]').first().click()
  await page.getByLabel('Prénom').fill('Noé')
  await page.getByLabel('Nom', { exact: true }).fill('Faure')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByRole('button', { name: 'Recevoir le PDF' }).click()
  const link = page.getByRole('link', { name: 'Télécharger le livre blanc' })
  const file = await request.get((await link.getAttribute('href')) ?? '')
  expect(file.headers()['content-type']).toContain('application/pdf')
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-')
  await readMailedLink(request, email, /white-papers/)
})

test('one registers for a webinar and receives its event', async ({ page, request }) => {
  const email = visitor()
  await openInteractive(page, '/resources/webinaires')
  await page.locator('main a[href^="/resources/webinaires/"]').first().click()
  await page.getByLabel('Prénom').fill('Zoé')
  await page.getByLabel('Nom', { exact: true }).fill('Blanc')
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.getByRole('button', { name: 'M’inscrire' }).click()
  await expect(page.getByRole('status')).toBeVisible()
  await readMailedLink(request, email, /Europe|Paris|webinaire/i)
})
