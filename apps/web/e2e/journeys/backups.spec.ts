import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD, navigateInPage } from '../fixtures.ts'
import { signInAndAddPasskey, toNamedAddress } from './authenticator.ts'
import { changeEntry, makeInstallation, signElsewhere } from './company-archive.ts'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  type Person,
  register,
  TEST_PASSWORD,
  test,
} from './people.ts'
import { buildDemoAdmin } from './places.ts'

const SCREEN = '/admin/backups'

/** An operation with two neighbours, each with their meter. */
async function fillCompany(request: APIRequestContext, admin: Person) {
  const headers = buildBearerHeader(admin)
  const data = { name: 'Les Jardins de Prévert', startsOn: '2026-01-01', status: 'pending' }
  const made = await request.post('/api/acc-operations', { headers, data })
  expect(made.status()).toBe(200)
  const { id } = await made.json()
  const text = 'Nom;PRM;Date d’entrée\nMme Achard;30001234561201;01/02/2026\nM. Bruyère;30001234561202;01/02/2026'
  const brought = await request.post(`/api/participants/import?name=voisins.csv&dryRun=false&operationId=${id}`, {
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    data: Buffer.from(text),
  })
  expect((await brought.json()).created).toBe(2)
}

/** The company's own copy, as the API gives it once it is ready. */
async function exportCompany(request: APIRequestContext, admin: Person): Promise<Buffer> {
  const headers = buildBearerHeader(admin)
  const { id } = await (await request.post('/api/backups', { headers })).json()
  await expect
    .poll(async () => {
      const { items } = await (await request.get('/api/backups', { headers })).json()
      return items.find((copy: { id: string }) => copy.id === id)?.state
    })
    .toBe('done')
  return (await request.get(`/api/backups/${id}/file`, { headers })).body()
}

async function registerEmptyCompany(request: APIRequestContext) {
  const heir = await register(request, 'Les Toits Neufs')
  await confirmAddress(request, heir)
  return heir
}

const upload = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Choisir une copie').setInputFiles({ name, mimeType: 'application/zip', buffer })
const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Copies de l’organisation' }).getByRole('row', { name: new RegExp(name) })

/** Who keeps the installation, and says which others it trusts. */
async function signInSiteOwner(request: APIRequestContext) {
  const login = { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD }
  const { token } = await (await request.post('/api/auth/login', { data: login })).json()
  return buildDemoAdmin(token)
}

/** The form in which another installation is named and its key entered. */
async function openTrustForm(page: Page) {
  await page.getByRole('button', { name: 'Ajouter une installation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Faire confiance à une installation' })
  return {
    dialog,
    name: dialog.getByLabel('Nom de l’installation'),
    key: dialog.getByLabel('Clé publique'),
    password: dialog.getByLabel('Mot de passe', { exact: true }),
    add: dialog.getByRole('button', { name: 'Faire confiance à cette installation' }),
  }
}

async function stopTrusting(page: Page, name: string) {
  const row = page.getByRole('table', { name: 'Installations de confiance' }).getByRole('row', { name })
  await row.hover()
  await row.getByRole('button', { name: 'Retirer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer cette installation' }).click()
  await expect(row).toHaveCount(0)
}

/** What an archive would bring, once it was read. */
async function openPreview(page: Page, name: string) {
  await expect(rowOf(page, name)).toContainText('À confirmer')
  await page.getByRole('button', { name: `Voir ce que ${name} apporterait` }).click()
  const dialog = page.getByRole('dialog', { name: `Reprendre ${name}` })
  await expect(dialog).toBeVisible()
  return dialog
}
/** The rows of a table that would come in. */
const importedRow = (dialog: ReturnType<Page['getByRole']>, label: string) =>
  dialog.locator('dl > div').filter({ has: dialog.page().getByText(label, { exact: true }) })

test('a company takes its copy along, and an empty one takes it up once it has seen what it brings', async ({
  page,
  admin,
  request,
  browser,
}) => {
  await fillCompany(request, admin)
  await page.goto(SCREEN)
  await expect(page.getByRole('heading', { name: 'Aucune copie pour l’instant' })).toBeVisible()
  await expect(page.getByText('Reprendre une copie')).toHaveCount(0)
  await page.getByRole('button', { name: 'Copier mes données' }).click()
  await expect(getToast(page)).toContainText('La copie est en préparation')
  await expect(rowOf(page, 'voisol-organisation')).toContainText('Prête')
  await rowOf(page, 'voisol-organisation').hover()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Télécharger voisol-organisation/ }).click(),
  ])
  const archive = await readFile(await file.path())
  await expectAccessibleAndNoOverflow(page)

  const heir = await registerEmptyCompany(request)
  const there = await openAs(browser, heir)
  await there.goto('/acc-operations')
  await expect(there.getByRole('heading', { name: /^Aucune opération/ })).toBeVisible()
  await navigateInPage(there, SCREEN)
  await upload(there, 'copie.zip', archive)
  await expect(getToast(there)).toContainText('La copie est en cours de lecture')
  const dialog = await openPreview(there, 'copie.zip')
  await expect(dialog).toContainText('Les Tuiles Bleues')
  await expect(dialog).toContainText('Cette installation')
  await expect(importedRow(dialog, 'Opérations')).toContainText('1')
  await expect(importedRow(dialog, 'Participants')).toContainText('2')
  await expect(importedRow(dialog, 'Points de livraison')).toContainText('2')
  await expect(dialog).toContainText('Journal et événements')
  await expect(dialog).toContainText('Ils décrivent l’activité de l’ancienne installation.')
  await expectAccessibleAndNoOverflow(there)

  const confirm = dialog.getByRole('button', { name: 'Reprendre cette copie' })
  const password = dialog.getByLabel('Mot de passe', { exact: true })
  await expect(dialog.getByRole('button', { name: /clé d’accès/ })).toHaveCount(0)
  await confirm.click()
  await expect(password).toHaveAccessibleDescription(/Saisissez votre mot de passe/)
  await password.fill('un autre mot de passe')
  await confirm.click()
  await expect(password).toHaveAccessibleDescription(/Le mot de passe actuel est incorrect\./)
  await expect(password).toBeFocused()
  await password.fill(TEST_PASSWORD)
  await confirm.click()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(there, 'copie.zip')).toContainText('Reprise terminée')
  await expect(there.getByText('Reprendre une copie')).toHaveCount(0)
  await expectAccessibleAndNoOverflow(there)
  await there.getByRole('link', { name: 'Opérations', exact: true }).first().click()
  await expect(there.getByRole('link', { name: 'Les Jardins de Prévert' }).first()).toBeVisible()
})

test('a file that is no copy, and a copy that was changed, are refused in a sentence and leave nothing', async ({
  page,
  admin,
  request,
}) => {
  const owner = await register(request)
  await fillCompany(request, owner)
  const archive = await exportCompany(request, owner)
  await page.goto(SCREEN)
  await upload(page, 'copie.zip', archive)
  await expect(getToast(page)).toContainText('Confirmez d’abord votre adresse')
  await confirmAddress(request, admin)
  await upload(page, 'vacances.zip', Buffer.from('PK pas une archive'))
  await expect(rowOf(page, 'vacances.zip')).toContainText('Non reprise')
  await expect(rowOf(page, 'vacances.zip')).toContainText(
    'Ce fichier n’est pas une copie d’organisation faite par Voisol, ou il est abîmé\u00a0: rien n’a été repris.',
  )
  await upload(
    page,
    'retouche.zip',
    changeEntry(archive, /participants/, (text) => text.replace('Achard', 'Martin')),
  )
  await expect(rowOf(page, 'retouche.zip')).toContainText(
    'Cette archive a été modifiée depuis sa signature\u00a0: rien n’a été repris.',
  )
  await expect(page.getByLabel('Choisir une copie')).toBeAttached()
  await expectAccessibleAndNoOverflow(page)
})

test('an unknown installation brings what a CSV file could, until the owner of the site trusts its key', async ({
  request,
  browser,
}) => {
  const elsewhere = await register(request)
  await fillCompany(request, elsewhere)
  const installation = makeInstallation()
  const { publicKey } = installation
  const lyon = `Voisol de Lyon ${publicKey.slice(0, 6)}`
  const archive = signElsewhere(await exportCompany(request, elsewhere), installation)
  const page = await openAs(browser, await registerEmptyCompany(request))
  await page.goto(SCREEN)
  await upload(page, 'inconnue.zip', archive)
  const unknown = await openPreview(page, 'inconnue.zip')
  await expect(unknown.getByRole('note')).toContainText('comme par un import de fichier')
  await expect(importedRow(unknown, 'Participants')).toContainText('2')
  await expect(importedRow(unknown, 'Points de livraison')).toContainText('2')
  await expect(importedRow(unknown, 'Opérations')).toHaveCount(0)
  await expect(unknown.getByRole('listitem').filter({ hasText: 'Opérations' })).toContainText(
    'L’archive ne porte pas la signature d’une installation de confiance',
  )
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Escape')
  await rowOf(page, 'inconnue.zip').hover()
  await rowOf(page, 'inconnue.zip').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer la copie' }).click()
  await expect(page.getByLabel('Choisir une copie')).toBeAttached()

  const keeper = await openAs(browser, await signInSiteOwner(request))
  await keeper.goto(SCREEN)
  const form = await openTrustForm(keeper)
  await form.name.fill(lyon)
  await form.key.fill(publicKey.slice(0, 20))
  await form.add.click()
  await expect(form.key).toHaveAccessibleDescription(/Une clé publique compte 44 caractères et finit par =\./)
  await expectAccessibleAndNoOverflow(keeper)
  await form.key.fill(publicKey)
  await form.password.fill('un autre mot de passe')
  await form.add.click()
  await expect(form.password).toHaveAccessibleDescription(/Le mot de passe actuel est incorrect\./)
  await form.password.fill(DEMO_PASSWORD)
  await form.add.click()
  await expect(getToast(keeper)).toContainText('Installation ajoutée')
  await expect(keeper.getByRole('row', { name: lyon })).toContainText(publicKey)
  await expectAccessibleAndNoOverflow(keeper)

  await upload(page, 'connue.zip', archive)
  const known = await openPreview(page, 'connue.zip')
  await expect(known).toContainText(lyon)
  await expect(known.getByRole('note')).toHaveCount(0)
  await expect(importedRow(known, 'Opérations')).toContainText('1')

  await stopTrusting(keeper, lyon)
  await known.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await known.getByRole('button', { name: 'Reprendre cette copie' }).click()
  const again = await openPreview(page, 'connue.zip')
  await expect(again).toContainText('Cette archive n’apporte plus ce qui avait été confirmé')
  await expect(importedRow(again, 'Opérations')).toHaveCount(0)
})

test('a passkey confirms an import in place of the password', async ({ page, request, baseURL }) => {
  const elsewhere = await register(request)
  await fillCompany(request, elsewhere)
  const archive = await exportCompany(request, elsewhere)
  const home = toNamedAddress(baseURL)
  await signInAndAddPasskey(page, home, await registerEmptyCompany(request))
  await page.goto(`${home}${SCREEN}`)
  await upload(page, 'copie.zip', archive)
  const dialog = await openPreview(page, 'copie.zip')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: 'Confirmer avec ma clé d’accès' }).click()
  await expect(rowOf(page, 'copie.zip')).toContainText('Reprise terminée')
})

test('a passkey confirms that an installation is trusted, once the rest of the form is right', async ({
  page,
  request,
  baseURL,
}) => {
  const keeper = await signInSiteOwner(request)
  const person = await inviteAndAccept(request, keeper, { firstName: 'Noé', lastName: 'Clé', role: 'admin' })
  const { publicKey } = makeInstallation()
  const nantes = `Voisol de Nantes ${publicKey.slice(0, 6)}`
  const home = toNamedAddress(baseURL)
  await signInAndAddPasskey(page, home, person)
  await page.goto(`${home}${SCREEN}`)
  const { dialog, name, key } = await openTrustForm(page)
  const passkey = dialog.getByRole('button', { name: 'Confirmer avec ma clé d’accès' })
  await name.fill(nantes)
  await passkey.click()
  await expect(key).toBeFocused()
  await expect(key).toHaveAttribute('aria-invalid', 'true')
  await key.fill(publicKey)
  await passkey.click()
  await expect(getToast(page)).toContainText('Installation ajoutée')
  await stopTrusting(page, nantes)
})
