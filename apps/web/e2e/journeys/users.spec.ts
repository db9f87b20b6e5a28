import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  invite,
  inviteAndAccept,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const client = (firstName: string, lastName: string) => ({ firstName, lastName, role: 'client' as const })
const rows = (page: Page) => page.getByRole('table', { name: 'Utilisateurs' }).locator('tbody tr')
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name })

async function act(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions pour ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Invited people from a file, as many as wanted at once. */
async function fill(request: APIRequestContext, admin: Person, names: string[][]) {
  const lines = names.map(([first, last], n) => `p${n}-${admin.email};${first};${last};${n === 0 ? 'admin' : 'client'}`)
  await confirmAddress(request, admin)
  const csv = ['email;prénom;nom;rôle', ...lines].join('\n')
  const answer = await request.post('/api/users/import', {
    headers: buildBearerHeader(admin),
    data: { csv, dryRun: false },
  })
  expect((await answer.json()).invited).toBe(names.length)
}

test('a client is invited, reads the mail, chooses a password and arrives in the portal', async ({
  page,
  admin,
  browser,
}) => {
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(1)
  await expect(rowOf(page, admin.email)).toContainText('Actif')
  await page.getByRole('button', { name: 'Inviter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Inviter un utilisateur' })
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click()
  await expect(dialog.getByRole('alert')).toContainText(/3\spoints à corriger/)
  await expect(dialog.getByLabel('Adresse e-mail')).toBeFocused()
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByLabel('Adresse e-mail').fill(admin.email)
  await dialog.getByLabel('Prénom').fill('Zoé')
  await dialog.getByLabel('Nom', { exact: true }).fill('Lambert')
  await expect(dialog.getByLabel('Rôle')).toHaveValue('client')
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Cette personne fait déjà partie de votre organisation.')
  const email = `zoe-${admin.email}`
  await dialog.getByLabel('Adresse e-mail').fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Confirmez d’abord votre adresse e-mail')
  const link = await readMailedLink(page.request, admin.email, /\/login\?verify=[\w-]+/)
  // Somewhere else, where nobody is signed in, the password chosen at the registration is asked for.
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(link)
  await stranger.getByLabel('Mot de passe choisi à l’inscription').fill('pas celui-là')
  await stranger.getByRole('button', { name: 'Confirmer mon adresse e-mail' }).click()
  await expect(stranger.getByLabel('Mot de passe choisi à l’inscription')).toHaveAccessibleDescription(
    /pas celui du compte/,
  )
  await expectAccessibleAndNoOverflow(stranger)
  const proof = await page.context().newPage()
  await proof.goto(link)
  const confirm = proof.getByRole('button', { name: 'Confirmer mon adresse e-mail' })
  await expect(confirm).toBeVisible()
  await expectAccessibleAndNoOverflow(proof)
  await confirm.click()
  await expect(proof.getByText(/votre adresse est confirmée/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(getToast(page)).toContainText('Invitation envoyée')
  await expect(rowOf(page, email)).toContainText('Invitation en attente')

  const invitation = await readMailedLink(page.request, email)
  const other = await (await browser.newContext()).newPage()
  await other.goto(invitation)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Vous êtes invité')
  await expect(other.getByText('Les Tuiles Bleues vous invite')).toBeVisible()
  await expect(other.getByLabel('Adresse e-mail')).toHaveValue(email)
  await expectAccessibleAndNoOverflow(other)
  await other.getByLabel('Mot de passe', { exact: true }).fill('trop court')
  await other.getByRole('button', { name: 'Accepter l’invitation' }).click()
  await expect(other.getByLabel('Mot de passe', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await other.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await other.getByRole('button', { name: 'Accepter l’invitation' }).click()
  await expect(other).toHaveURL('/client-portal')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Bonjour Zoé')
  await expectAccessibleAndNoOverflow(other)

  await page.reload()
  await expect(rowOf(page, 'Zoé Lambert')).toContainText('Actif')
  await other.goto(invitation)
  await expect(other.getByRole('alert')).toHaveText('Ce lien a déjà été utilisé.')
})

test('search without accents, filters, sort and pages live in the address', async ({ page, admin, request }) => {
  const many = Array.from({ length: 26 }, (_, n) => ['Participant', `Numéro ${String(n).padStart(2, '0')}`])
  await fill(request, admin, [['Hélène', 'Ozouf'], ['Anaïs', 'Çelik'], ...many])
  await page.goto('/users?size=25')
  await expect(rows(page)).toHaveCount(25)
  await page.getByRole('button', { name: 'Suivante' }).click()
  await expect(page).toHaveURL('/users?size=25&page=2')
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByText('26 à 29 sur 29')).toBeVisible()
  await page.reload()
  await expect(rows(page)).toHaveCount(4)
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(29)
  await expect(page.getByRole('button', { name: 'Suivante' })).toHaveCount(0)

  const search = page.getByRole('searchbox', { name: 'Rechercher un nom ou une adresse' })
  await search.fill('helene')
  await expect(page).toHaveURL('/users?q=helene')
  await expect(rows(page)).toHaveText([/Hélène Ozouf/])
  await search.fill('celik')
  await expect(rows(page)).toHaveText([/Anaïs Çelik/])
  await page.getByRole('combobox', { name: 'Rôle' }).selectOption({ label: 'Administrateur' })
  await expect(page).toHaveURL('/users?q=celik&role=admin')
  await expect(page.getByText('Aucun résultat')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Effacer les filtres' }).click()
  await expect(page).toHaveURL('/users')
  await expect(search).toHaveValue('')

  await page.getByRole('combobox', { name: 'Rôle' }).selectOption({ label: 'Administrateur' })
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Nom', exact: true }).click()
  await expect(page).toHaveURL('/users?role=admin&sort=name')
  await expect(rows(page)).toHaveText([/Garnier/, /Ozouf/])
  await page.getByRole('button', { name: 'Nom', exact: true }).click()
  await expect(rows(page)).toHaveText([/Ozouf/, /Garnier/])
  await expect(page.getByRole('columnheader', { name: 'Nom' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Invitation en attente' }).click()
  await expect(rows(page)).toHaveText([/Ozouf/])
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Rôle' })).toHaveValue('admin')

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Exporter' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'CSV pour Excel' }).click()),
  ])
  expect(file.suggestedFilename()).toMatch(/^utilisateurs-.*\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('E-mail;Prénom;Nom')
  expect(lines[1]).toContain('Ozouf')
  expect(lines[2]).toContain(admin.email)
})

test('two administrators change the same person: the second is told', async ({ page, admin, browser, request }) => {
  await invite(request, admin, client('Rémi', 'Blot'))
  const second = await openAs(browser, admin)
  for (const tab of [page, second]) {
    await tab.goto('/users')
    await act(tab, 'Rémi Blot', 'Modifier')
    await expect(tab.getByRole('dialog').getByLabel('Prénom')).toHaveValue('Rémi')
  }
  const save = async (tab: Page, lastName: string) => {
    await tab.getByRole('dialog').getByLabel('Nom', { exact: true }).fill(lastName)
    await tab.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  }
  await save(page, 'Bloch')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(getToast(page)).toContainText('Modification enregistrée')
  await expect(rowOf(page, 'Rémi Bloch')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Actions pour Rémi Bloch' })).toBeFocused()
  await save(second, 'Blum')
  await expect(second.getByRole('dialog').getByRole('alert')).toContainText(
    'Cet élément a été modifié entre-temps. Rechargez-le, puis reprenez votre modification.',
  )
  await expectAccessibleAndNoOverflow(second)
  await second.getByRole('dialog').getByRole('button', { name: 'Fermer' }).click()
  await act(second, 'Rémi Bloch', 'Modifier')
  await save(second, 'Blum')
  await expect(rowOf(second, 'Rémi Blum')).toHaveCount(1)
})

test('a disabled person is out at their next step, and comes back once enabled', async ({
  page,
  admin,
  browser,
  request,
}) => {
  const member = await inviteAndAccept(request, admin, client('Malik', 'Diop'))
  const theirs = await openAs(browser, member)
  await theirs.goto('/client-portal')
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Bonjour Malik')
  await page.goto('/users')
  await act(page, 'Malik Diop', 'Sessions ouvertes')
  await expect(page.getByRole('dialog', { name: 'Sessions de Malik Diop' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Escape')
  await act(page, 'Malik Diop', 'Désactiver')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Malik Diop perdra l’accès immédiatement')
  await expectAccessibleAndNoOverflow(page)
  await question.getByRole('button', { name: 'Désactiver le compte' }).click()
  await expect(rowOf(page, 'Malik Diop')).toContainText('Désactivé')

  await theirs.getByRole('link', { name: 'Factures', exact: true }).click()
  await expect(theirs).toHaveURL('/login?redirect=%2Fclient-portal%2Finvoices')
  await expect(theirs.getByText('Votre session a pris fin.')).toBeVisible()

  await act(page, 'Malik Diop', 'Réactiver')
  await expect(getToast(page)).toContainText('Compte réactivé')
  await expect(rowOf(page, 'Malik Diop')).toContainText('Actif')
  await theirs.getByLabel('Adresse e-mail').fill(member.email)
  await theirs.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await theirs.getByRole('button', { name: 'Se connecter', exact: true }).click()
  await expect(theirs).toHaveURL('/client-portal/invoices')

  await act(page, 'Malik Diop', 'Fermer ses sessions')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Fermer les sessions' }).click()
  await expect(getToast(page)).toContainText(/1\ssession fermée/)
  await theirs.getByRole('link', { name: 'Accueil', exact: true }).click()
  await expect(theirs).toHaveURL(/\/login/)
})

test('the last administrator stays', async ({ page, admin }) => {
  await page.goto('/users')
  await expect(rowOf(page, admin.email)).toHaveCount(1)
  await act(page, 'Élodie Garnier', 'Désactiver')
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Désactiver le compte' }).click()
  const refusal = 'L’organisation doit garder au moins un administrateur actif.'
  await expect(question.getByRole('alert')).toHaveText(refusal)
  await expectAccessibleAndNoOverflow(page)
  await question.getByRole('button', { name: 'Annuler' }).click()
  await act(page, 'Élodie Garnier', 'Modifier')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Rôle').selectOption('Client')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(dialog.getByRole('alert')).toContainText(refusal)
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'Élodie Garnier')).toContainText('Administrateur')
})

test('a file is read before anything is sent, and an invitation can be sent again', async ({ page, admin }) => {
  await confirmAddress(page.request, admin)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Importer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Importer des utilisateurs' })
  const choose = (text: string) =>
    dialog
      .getByLabel('Choisir un fichier CSV')
      .setInputFiles({ name: 'membres.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('prénom;nom\nInès;Roy')
  await expect(dialog.getByRole('alert')).toContainText('Absente : email.')
  await expectAccessibleAndNoOverflow(page)
  const email = `ines-${admin.email}`
  await choose(
    [
      'email;prénom;nom;rôle',
      `${email};Inès;Roy;client`,
      `${email};Inès;Roy;client`,
      `${admin.email};É;G;admin`,
      'x;A;B;roi',
    ].join('\n'),
  )
  const lines = dialog.getByRole('table', { name: 'Lignes du fichier' }).locator('tbody tr')
  await expect(lines).toHaveText([
    /2.*À inviter/,
    /3.*Refusé.*Déjà à la ligne 2 du fichier/,
    /4.*Déjà présent.*Déjà dans votre organisation/,
    /5.*Refusé.*n’est pas un rôle de votre organisation/,
  ])
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: /Envoyer 1\sinvitation/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(getToast(page)).toContainText(/1\sinvitation envoyée/)
  await expect(rowOf(page, 'Inès Roy')).toContainText('Invitation en attente')

  const first = await readMailedLink(page.request, email)
  await act(page, 'Inès Roy', 'Renvoyer l’invitation')
  await expect(getToast(page)).toContainText('Invitation renvoyée')
  await expect.poll(() => readMailedLink(page.request, email), { timeout: 20_000 }).not.toBe(first)
  await page.goto(first)
  await expect(page.getByRole('alert')).toHaveText(/Ce lien n’est plus valable|n’existe pas/)
})
