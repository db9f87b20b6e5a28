import type { APIRequestContext, Page } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from '../fixtures.ts'
import { buildBearerHeader, expect, getToast, inviteAndAccept, openAs, type Person, test } from './people.ts'

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><script>document.title="pris"</script><rect width="40" height="20" fill="#8a1c4a" onload="alert(1)"/></svg>',
)
const css = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => getComputedStyle(document.documentElement).getPropertyValue(wanted).trim().toUpperCase(),
    name,
  )
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

async function look(page: Page) {
  await expectAccessible(page)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoOverflow(page)
  }
}

test('a brand is chosen, seen before it is kept, and worn', async ({ page, admin }) => {
  await page.goto('/white-label')
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Les Tuiles Bleues')
  await page.getByLabel('Nom affiché').fill('Soleil du Vercors')
  await page.getByLabel('Couleur principale').first().fill('#ffe9a8')
  await expect(page.getByText('Texte des boutons')).toBeVisible()
  const take = page.getByRole('button', { name: /^Prendre #/ }).first()
  const shade = ((await take.textContent()) ?? '').replace('Prendre ', '').trim()
  await take.click()
  await expect(page.getByLabel('Couleur principale').first()).toHaveValue(shade)
  await page
    .getByLabel('Choisir un fichier')
    .first()
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO })
  await expect(page.getByRole('img', { name: 'Logo choisi' })).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Aperçu du back-office' })).toContainText('Soleil du Vercors')
  await tab(page, 'Espace client')
  await expect(page.getByRole('figure', { name: 'Aperçu de l’espace client' })).toContainText('Soleil du Vercors')
  await tab(page, 'Message')
  await expect(page.frameLocator('iframe[title="Aperçu du message"]').getByRole('heading')).toHaveText(
    'Rejoindre Soleil du Vercors',
  )
  await tab(page, 'Facture')
  await expect(page.getByText('Aucune facture n’est encore émise')).toBeVisible()
  expect(await css(page, '--primary')).toBe('#007BFF')
  await look(page)
  await page.getByRole('button', { name: 'Enregistrer la marque' }).click()
  await expect(getToast(page)).toContainText('Marque enregistrée')
  await expect.poll(() => css(page, '--primary')).toBe(shade)
  await expect(page).toHaveTitle('Marque blanche — Soleil du Vercors')
  await page.goto('/dashboard/white-label')
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Soleil du Vercors')
  const logo = await page.getByRole('img', { name: 'Logo choisi' }).getAttribute('src')
  const shown = await page.request.get(logo ?? '')
  expect(await shown.text()).not.toMatch(/script|onload/)
  expect(shown.headers()['content-security-policy']).toContain('sandbox')
  // What nobody touched is not the company's choice.
  const kept = await page.request.get(`/api/companies/${admin.companyId}/white-label`)
  expect((await kept.json()).secondaryColor).toBe('#6C757D')
})

test('a host is refused where it is ours, and told how to be proved', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/white-label')
  await page.getByLabel('Domaine de votre espace').fill('localhost')
  await page.getByRole('button', { name: 'Enregistrer le domaine' }).click()
  await expect(page.getByLabel('Domaine de votre espace')).toHaveAccessibleDescription(/Nom de domaine attendu/)
  await page.getByLabel('Domaine de votre espace').fill('HTTPS://Energie.Lilas.invalid/')
  await page.getByRole('button', { name: 'Enregistrer le domaine' }).click()
  await expect(page.getByLabel('Domaine de votre espace')).toHaveAccessibleDescription(/réservé/)
  await page.getByLabel('Domaine de votre espace').fill('HTTPS://Energie.Lilas-Exemple.fr/')
  await page.getByRole('button', { name: 'Enregistrer le domaine' }).click()
  await expect(getToast(page)).toContainText('Domaine enregistré')
  await expect(page.getByText('À prouver')).toBeVisible()
  await expect(page.getByText('_voisol.energie.lilas-exemple.fr')).toBeVisible()
  await look(page)
})

test('the messages of the product are seen before they go', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.goto('/white-label?onglet=messages')
  await page.getByRole('button', { name: 'Voir le message Invitation' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('Invitation à rejoindre Les Tuiles Bleues')
  await expect(sheet.frameLocator('iframe').getByRole('link', { name: 'Accepter l’invitation' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // What nobody was sent yet is seen all the same, where it says the same to everybody.
  for (const [title, subject, action] of [
    ['Bienvenue', 'Bienvenue dans votre espace', 'Ouvrir mon espace'],
    ['Accord demandé', 'Votre accord est demandé', 'Donner mon accord'],
    ['Accord bientôt terminé', 'Un de vos accords se termine bientôt', 'Renouveler mon accord'],
  ] as const) {
    await page.getByRole('button', { name: `Voir le message ${title}` }).click()
    await expect(sheet).toContainText(subject)
    await expect(sheet.frameLocator('iframe').getByRole('link', { name: action })).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Voir le message Votre mois solaire' }).click()
  await expect(sheet).toContainText('n’a encore rien envoyé de tel')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Voir le message Relance' }).click()
  await expect(page.getByRole('dialog')).toContainText('n’a encore rien envoyé de tel')
})

const HTML = '<img src=x onerror="document.title=1"><b>Gras</b> '
const HOSTILE = {
  version: 0,
  primaryColor: '#FFFFFF',
  secondaryColor: '#FFFFFF',
  accentColor: '#FFFFFF',
  fontFamily: 'Courier New',
  borderRadius: '99px',
  companyName: HTML + 'x'.repeat(140),
  companyAddress: `${HTML}${'très long '.repeat(25)}`,
  companyPhone: '<i>01</i>',
  clientPortalCustomizations: { footer: `${HTML}${'w'.repeat(300)}` },
}

async function dress(request: APIRequestContext, admin: Person) {
  const path = `/api/companies/${admin.companyId}/white-label`
  expect((await request.put(path, { headers: buildBearerHeader(admin), data: HOSTILE })).status()).toBe(200)
}

test('a hostile brand is words, and reads, everywhere', async ({ page, admin, browser, request }) => {
  await dress(request, admin)
  const member = await inviteAndAccept(request, admin, { firstName: 'Zoé', lastName: 'Blanc', role: 'client' })
  for (const path of ['/dashboard', '/white-label', '/users']) {
    await page.goto(path)
    await expect.poll(() => css(page, '--primary')).toBe('#FFFFFF')
    await expect(page.locator('img[onerror]')).toHaveCount(0)
    await look(page)
  }
  const portal = await openAs(browser, member)
  await portal.goto('/client-portal')
  await expect(portal.getByRole('contentinfo')).toContainText('<b>Gras</b>')
  await look(portal)
  const data = { ...HOSTILE, version: 1, clientPortalEnabled: false }
  await request.put(`/api/companies/${admin.companyId}/white-label`, { headers: buildBearerHeader(admin), data })
  await portal.reload()
  await expect(portal.getByRole('heading', { name: 'Votre espace est fermé pour l’instant' })).toBeVisible()
  await look(portal)
})
