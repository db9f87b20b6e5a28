import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import type { APIRequestContext } from '@playwright/test'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const TAG = 'bâtiment B'

/** A participant of the company; with an address they are invited and have accepted. */
async function participant(request: APIRequestContext, admin: Person, firstName: string, email = '') {
  const headers = buildBearerHeader(admin)
  const data = { kind: 'person', firstName, lastName: 'Martin', email }
  const { id } = await (await request.post('/api/participants', { headers, data })).json()
  const action = { kind: 'tags', add: [TAG], remove: [] }
  const many = { selection: { ids: [id] }, action }
  const bulk = (data: object) => request.post('/api/participants/bulk', { headers, data })
  const { seal } = await (await bulk({ ...many, dryRun: true })).json()
  expect((await bulk({ ...many, dryRun: false, seal })).status()).toBe(200)
  if (!email) return { id, token: '' }
  await confirmAddress(request, admin)
  expect((await request.post(`/api/participants/${id}/invitation`, { headers })).status()).toBe(200)
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const names = { firstName, lastName: 'Martin', password: TEST_PASSWORD }
  const accepted = await request.post(`${path}/accept`, { data: names })
  return { id, token: String((await accepted.json()).token) }
}
const address = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@exemple.fr`

test('the organiser writes to a group after seeing it, a participant reads and answers by keyboard on a phone', async ({
  page,
  admin,
  browser,
  request,
}) => {
  const zoe = await participant(request, admin, 'Zoé', address('zoe'))
  await participant(request, admin, 'Ana')
  await page.goto('/client-portal-management?tab=messages')
  const write = page.getByRole('button', { name: 'Écrire un message' })
  await write.click()
  await page.getByRole('radio', { name: 'Un groupe' }).check()
  await page.getByRole('button', { name: 'Voir l’aperçu' }).click()
  await expect(page.getByText('Choisissez à qui vous écrivez.')).toBeVisible()
  await page.getByLabel('Groupe', { exact: true }).selectOption(TAG)
  await page.getByLabel('Objet').fill('Entretien du toit, {{prenom}}')
  await page.getByLabel('Message', { exact: true }).fill('Bonjour {{prenom}}, à jeudi.')
  await page.getByRole('button', { name: 'Voir l’aperçu' }).click()
  await expect(page.getByText('Ni e-mail ni compte')).toContainText('Ana Martin')
  await expect(page.frameLocator('iframe').getByText('Bonjour Ana, à jeudi.')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Envoyer à 2 destinataires' }).click()
  await expect(getToast(page)).toHaveText(/Message envoyé/)

  const phone = await openAs(browser, zoe)
  await phone.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(
      async () =>
        (await (await request.get('/api/own/messages', { headers: { authorization: `Bearer ${zoe.token}` } })).json())
          .total,
    )
    .toBe(1)
  await phone.goto('/client-portal/messages')
  await phone.getByRole('link', { name: 'Entretien du toit, Zoé' }).press('Enter')
  await expect(phone.getByRole('heading', { name: 'Entretien du toit, Zoé' })).toBeVisible()
  await expectAccessibleAndNoOverflow(phone)
  const answer = phone.getByRole('button', { name: 'Répondre' })
  await answer.press('Enter')
  await expect(phone.getByLabel('Votre réponse')).toHaveAccessibleDescription(/Écrivez votre réponse/)
  await phone.getByLabel('Votre réponse').fill('À quelle heure ?')
  await answer.press('Enter')
  await expect(phone.getByRole('link', { name: 'Voir l’échange' })).toBeVisible()

  await page.getByRole('link', { name: /Entretien du toit/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Ni e-mail ni compte')
  await page.getByRole('link', { name: 'Voir la demande' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('À quelle heure ?')
})

test('a message that waits for its moment is cancelled', async ({ page, admin, request }) => {
  const { id } = await participant(request, admin, 'Luc')
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const data = { subject: 'Plus tard', body: 'Bonjour.', to: { kind: 'person', participantId: id }, sendAt }
  expect((await request.post('/api/messages', { headers: buildBearerHeader(admin), data })).status()).toBe(200)
  await page.goto('/client-portal-management?tab=messages')
  await page.getByRole('link', { name: 'Plus tard' }).click()
  await page.getByRole('button', { name: 'Annuler l’envoi' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler l’envoi' }).click()
  await expect(page.getByRole('dialog').getByText('Annulé')).toBeVisible()
})

/** What the glyphs of a page say cannot be read here: the address of the picture is in its description. */
function codeIn(file: string): string {
  const text = readFileSync(file).toString('latin1')
  const parts = [
    text,
    ...[...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, raw = '']) => unpacked(raw)),
  ]
  const wide = parts.join('\n').replaceAll('\0', '')
  return /activation#([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})/.exec(wide)?.[1] ?? ''
}
function unpacked(raw: string): string {
  try {
    return inflateSync(Buffer.from(raw, 'latin1')).toString('latin1')
  } catch {
    return ''
  }
}

test('a letter is downloaded, and its code opens an account', async ({ page, admin, browser, request }) => {
  await confirmAddress(request, admin)
  await participant(request, admin, 'Léa')
  await page.goto('/client-portal-management?tab=lettres')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Lettre pour Léa Martin' }).click(),
  ])
  const code = codeIn(await file.path())
  expect(code).not.toBe('')
  await expect(page.getByRole('button', { name: 'Lettre pour Léa Martin' })).toHaveText('Refaire la lettre')
  const email = address('lea')
  const visitor = await (await browser.newContext()).newPage()
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto(`/activation#${code}`)
  await expect(visitor.getByLabel('Code de la lettre')).toHaveValue(code)
  await visitor.getByLabel('Adresse e-mail').fill(email)
  await expectAccessibleAndNoOverflow(visitor)
  await visitor.getByRole('button', { name: 'Ouvrir mon espace' }).press('Enter')
  await expect(visitor.getByRole('status')).toContainText(email)
  await visitor.goto(await readMailedLink(request, email))
  await visitor.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await visitor.getByRole('button', { name: /rejoindre|accepter|ouvrir/i }).click()
  await expect(visitor).toHaveURL(/\/client-portal/)
})

test('a participant’s portal is seen and not touched, and what it shows is chosen', async ({
  page,
  admin,
  request,
}) => {
  const zoe = await participant(request, admin, 'Zoé', address('zoe'))
  await page.goto('/client-portal-management')
  await page.getByLabel('Mot d’accueil').fill('Bienvenue chez vous.')
  await page.getByRole('checkbox', { name: /Une question/ }).uncheck()
  await page.getByRole('button', { name: 'Enregistrer ce que voient les participants' }).click()
  await expect(getToast(page)).toHaveText(/Portail enregistré/)
  await page.goto('/participant-portal')
  await page.getByRole('button', { name: 'Voir le portail de Zoé Martin' }).click()
  const banner = page.getByRole('region', { name: 'Vue d’un participant' })
  await expect(banner).toContainText('Vous voyez le portail de Zoé Martin — lecture seule')
  await expect(page.getByText('Bienvenue chez vous.')).toBeVisible()
  await expect(page.getByRole('heading', { name: /Une question/ })).toHaveCount(0)
  await expectAccessibleAndNoOverflow(page)
  await page.goto('/client-portal/profile')
  await expect(page.getByRole('heading', { name: 'Cet écran reste à la personne' })).toBeVisible()
  const view = await page.evaluate(() => sessionStorage.getItem('voisol_view'))
  const headers = { ...buildBearerHeader(admin), 'x-voisol-view': view ?? '' }
  expect((await request.post('/api/portal/visits', { headers })).status()).toBe(403)
  await banner.getByRole('button', { name: 'Quitter' }).click()
  await expect(page).toHaveURL('/participant-portal')
  await expect(page.getByRole('heading', { level: 1, name: 'Portail vu par un participant' })).toBeVisible()
  expect((await request.get('/api/points', { headers })).status()).toBe(403)
  expect(zoe.id).not.toBe('')
})
