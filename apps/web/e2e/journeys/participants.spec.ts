import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
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

const rows = (page: Page) => page.getByRole('table', { name: 'Participants' }).locator('tbody tr')
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name })
/** The toast while the sheet is open: read out as it comes, but outside of what a screen reader can walk through. */
const saidBehind = (page: Page) => page.locator('[aria-label^="Notifications (F8)"] li')
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function makeOperation(request: APIRequestContext, admin: Person, name: string) {
  const data = { name, startsOn: '2026-01-01', status: 'pending' }
  const answer = await request.post('/api/acc-operations', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
  return String((await answer.json()).id)
}

type Line = { name: string; prm: string; email?: string; from?: string }
/** People with one point each, in a file as an administrator would send it. */
async function enrol(request: APIRequestContext, admin: Person, operationId: string, lines: Line[]) {
  const text = [
    'Nom;PRM;E-mail;Date d’entrée;Puissance souscrite (kVA)',
    ...lines.map(({ name, prm, email = '', from = '01/02/2026' }) => `${name};${prm};${email};${from};9`),
  ].join('\n')
  const answer = await request.post(`/api/participants/import?name=x.csv&dryRun=false&operationId=${operationId}`, {
    headers: { ...buildBearerHeader(admin), 'content-type': 'application/octet-stream' },
    data: Buffer.from(text),
  })
  expect((await answer.json()).created).toBe(lines.length)
}

const PRM = (n: number) => `3000123456${String(n).padStart(4, '0')}`
const toDisplayedPrm = (prm: string) => new RegExp(prm.replace(/\B(?=(\d{3})+$)/g, '\\s'))

test('a file is read before anything is stored, line by line, and its good lines come in', async ({
  page,
  admin,
  request,
}) => {
  const id = await makeOperation(request, admin, 'Les Tilleuls')
  await page.goto(`/acc-operations/${id}/participants`)
  await expect(page.getByRole('heading', { name: 'Aucun participant' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Importer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Importer des participants' })
  const choose = (text: string) =>
    dialog
      .getByLabel('Choisir un fichier')
      .setInputFiles({ name: 'voisins.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('prénom;ville\nInès;Lyon')
  await expect(dialog.getByRole('alert')).toContainText('Il manque : PRM, Nom ou Organisation')
  await choose(
    [
      'Nom;Prénom;E-mail;PRM;Date d’entrée;Date de sortie',
      `Roy;Inès;ines@exemple.fr;${PRM(1)};01/02/2026;`,
      `Diop;Malik;;${PRM(2)};01/02/2026;`,
      'Blot;Rémi;;12345;01/02/2026;',
      `Tôt;Tom;;${PRM(3)};31/12/2025;`,
      `Fin;Line;;${PRM(4)};01/03/2026;01/02/2026`,
    ].join('\n'),
  )
  const lines = dialog.getByRole('table', { name: 'Lignes du fichier' }).locator('tbody tr')
  await expect(dialog.getByRole('table', { name: 'Lignes à corriger' }).locator('tbody tr')).toHaveText([
    /4.*quatorze chiffres/,
    /5.*ne peut pas précéder le début de l’opération/,
    /6.*La sortie \(01\/02\/2026\) doit suivre l’entrée \(01\/03\/2026\)/,
  ])
  await expectAccessibleAndNoOverflow(page)
  await expect(lines).toHaveText([/Inès Roy.*Entre dans l’opération le 01\/02\/2026/, /Malik Diop/])
  const [model] = await Promise.all([
    page.waitForEvent('download'),
    dialog
      .getByRole('button', { name: 'Modèle de fichier' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'CSV pour Excel' }).click()),
  ])
  expect(await readFile(await model.path(), 'utf8')).toContain('Puissance souscrite (kVA)')
  await dialog.getByRole('button', { name: /Importer 2\slignes/ }).click()
  await expect(saidBehind(page)).toContainText(/2\slignes importées/)
  await dialog.getByLabel('PRM, ligne 4').fill(PRM(5))
  await dialog.getByLabel('Date d’entrée, ligne 5').fill('01/02/2026')
  await dialog.getByLabel('Date de sortie, ligne 6').fill('')
  await dialog.getByRole('button', { name: /Importer 3\slignes corrigées/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(getToast(page)).toContainText(/3\slignes importées/)
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).first()).toHaveText(/Inès Roy.*Consommateur.*C5.*Actif/)
  await expectAccessibleAndNoOverflow(page)
})

test('a participant is added with a point; a point that is taken and an exit before the entry are refused', async ({
  page,
  admin,
  request,
}) => {
  const tilleuls = await makeOperation(request, admin, 'Les Tilleuls')
  await makeOperation(request, admin, 'Les Berges')
  await enrol(request, admin, tilleuls, [{ name: 'Roy', prm: PRM(1) }])
  await page.goto('/participants')
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Ajouter un participant' })
  await dialog.getByRole('button', { name: 'Enregistrer et continuer' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Le nom est obligatoire')
  await dialog.getByLabel('Organisation').check()
  await dialog.getByLabel('Nom de l’organisation').fill('Boulangerie du Pont')
  await dialog.getByLabel('SIREN').fill('552 081 317')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: 'Enregistrer et continuer' }).click()
  await expect(dialog.getByRole('status')).toContainText('Boulangerie du Pont est enregistré')
  await dialog.getByLabel('Opération', { exact: true }).selectOption('Les Berges')
  await dialog.getByLabel('PRM').fill('30 001 234 560 001')
  await dialog.getByLabel('Entrée').fill('2026-03-01')
  const add = dialog.getByRole('button', { name: 'Ajouter le point' })
  await add.click()
  await expect(dialog.getByRole('alert')).toContainText('Ce point prend déjà part à « Les Tilleuls »')
  await dialog.getByLabel('PRM').fill(PRM(2))
  await dialog.getByLabel('Sortie').fill('2026-02-01')
  await add.click()
  await expect(dialog.getByRole('alert')).toContainText('La sortie (01/02/2026) doit suivre l’entrée (01/03/2026).')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByLabel('Sortie').fill('')
  await dialog.getByLabel('Production').check()
  await expect(dialog.getByLabel('Segment')).toHaveValue('P4')
  await dialog.getByLabel('Puissance crête').fill('36,5')
  await add.click()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page, 'Boulangerie du Pont')).toContainText(/Producteur.*Les Berges/)

  await page.getByRole('link', { name: 'Boulangerie du Pont' }).click()
  await expect(page).toHaveURL(/\/participants\?participant=/)
  const panel = sheet(page, 'Boulangerie du Pont')
  await expect(panel).toContainText(/P4 · 36,5\skWc/)
  await expect(panel).toContainText(/552\s081\s317/)
  await panel.getByRole('button', { name: /^Actions pour Les Berges/ }).click()
  await page.getByRole('menuitem', { name: 'Modifier les dates' }).click()
  const dates = page.getByRole('dialog', { name: 'Dates de la participation' })
  await dates.getByLabel('Sortie').fill('2026-02-28')
  await dates.getByRole('button', { name: 'Enregistrer les dates' }).click()
  await expect(dates.getByRole('alert')).toContainText('doit suivre l’entrée')
  await dates.getByLabel('Sortie').fill('2027-12-31')
  await dates.getByLabel('Accord signé le').fill('2026-02-20')
  await dates.getByRole('button', { name: 'Enregistrer les dates' }).click()
  await expect(panel).toContainText('Du 01/03/2026 au 31/12/2027 (exclu)')
  await expect(panel).toContainText('Accord signé le 20/02/2026')
  // Escape closes what came last: the toast while it is there, then the sheet.
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await saidBehind(page).count()) * (await panel.count())).toBe(0)
  if (await panel.count()) await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Boulangerie du Pont' })).toBeFocused()
})

test('the sheet has an address of its own; a point changes its holder, an account is kept masked', async ({
  page,
  admin,
  request,
}) => {
  const id = await makeOperation(request, admin, 'Les Tilleuls')
  await enrol(request, admin, id, [
    { name: 'Roy', prm: PRM(1) },
    { name: 'Diop', prm: PRM(2) },
  ])
  await page.goto('/participants?role=consumer')
  await page.getByRole('link', { name: 'Roy' }).click()
  const panel = sheet(page, 'Roy')
  await expect(panel).toContainText(toDisplayedPrm(PRM(1)))
  await expectAccessibleAndNoOverflow(page)
  await page.reload()
  await expect(panel).toBeVisible()

  await panel.getByRole('button', { name: 'Modifier les coordonnées' }).click()
  const identity = page.getByRole('dialog', { name: 'Modifier les coordonnées' })
  await identity.getByLabel('Code postal').fill('690')
  await identity.getByRole('button', { name: 'Enregistrer les coordonnées' }).click()
  await expect(identity.getByRole('alert')).toContainText('Un code postal compte cinq chiffres, par exemple 69003.')
  await identity.getByLabel('Code postal').fill('69003')
  await identity.getByLabel('Commune').fill('Lyon')
  await identity.getByRole('button', { name: 'Enregistrer les coordonnées' }).click()
  await expect(panel).toContainText('69003 Lyon')
  await expect(panel.getByRole('button', { name: 'Modifier les coordonnées' })).toBeFocused()

  await panel.getByRole('button', { name: 'Modifier le compte bancaire' }).click()
  const bank = page.getByRole('dialog', { name: 'Compte bancaire' })
  await bank.getByLabel('IBAN').fill('FR76 0000 0000 0000')
  await bank.getByRole('button', { name: 'Enregistrer le compte' }).click()
  await expect(bank.getByRole('alert')).toBeVisible()
  await bank.getByLabel('IBAN').fill('FR14 2004 1010 0505 0001 3M02 606')
  await bank.getByRole('button', { name: 'Enregistrer le compte' }).click()
  await expect(panel).toContainText('•••• 2606')

  await panel.getByRole('button', { name: /^Actions pour Les Tilleuls/ }).click()
  await page.getByRole('menuitem', { name: 'Changer le titulaire' }).click()
  const transfer = page.getByRole('dialog', { name: 'Changer le titulaire' })
  await transfer.getByRole('button', { name: 'Changer le titulaire' }).click()
  await expect(transfer.getByRole('alert')).toContainText('Choisissez le nouveau titulaire.')
  await transfer.getByRole('searchbox').fill('dio')
  await transfer.getByLabel('Diop').check()
  await expectAccessibleAndNoOverflow(page)
  await transfer.getByRole('button', { name: 'Changer le titulaire' }).click()
  await expect(saidBehind(page)).toContainText('Le point est celui de Diop.')
  await panel.getByRole('button', { name: 'Fermer' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL('/participants?role=consumer')
  await expect(rowOf(page, 'Diop')).toContainText(toDisplayedPrm(PRM(1)))
})

test('many leave on one day: what would happen is shown first', async ({ page, admin, request }) => {
  const id = await makeOperation(request, admin, 'Les Tilleuls')
  await enrol(request, admin, id, [
    { name: 'Roy', prm: PRM(1) },
    { name: 'Diop', prm: PRM(2) },
    { name: 'Blot', prm: PRM(3), from: '01/06/2026' },
  ])
  await page.goto(`/acc-operations/${id}/participants`)
  await page.getByLabel('Tout sélectionner').check()
  await page.getByRole('button', { name: 'Dater la sortie' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dater la sortie' })
  await expect(dialog).toContainText(/3\sparticipants sélectionnés/)
  await dialog.getByLabel('Jour de sortie').fill('2026-05-01')
  await dialog.getByLabel('Date de la notification').fill('2026-04-10')
  await dialog.getByRole('button', { name: 'Vérifier' }).click()
  await expect(dialog.getByRole('status')).toContainText(/2\schangements possibles, 1\srefusé/)
  await expect(dialog.getByRole('row').nth(1)).toContainText('doit suivre l’entrée (01/06/2026)')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: /Enregistrer 2\schangements/ }).click()
  await expect(getToast(page)).toContainText(/2\ssorties enregistrées/)
  await expect(rowOf(page, 'Roy')).toContainText('Sorti')
  await page.getByRole('button', { name: 'Actif', exact: true }).click()
  await expect(page).toHaveURL(/state=active/)
  await expect(rowOf(page, 'Roy')).toHaveCount(0)
})

test('consents are collected and withdrawn; an invited participant decides in the portal', async ({
  page,
  admin,
  browser,
  request,
}) => {
  const id = await makeOperation(request, admin, 'Les Tilleuls')
  const email = `roy-${admin.email}`
  await confirmAddress(request, admin)
  await enrol(request, admin, id, [{ name: 'Roy', prm: PRM(1), email }])
  await page.goto('/participants?review=true')
  await expect(rowOf(page, 'Roy')).toContainText('Consentement à la collecte des mesures manquant')
  await page.getByRole('link', { name: 'Roy' }).click()
  const panel = sheet(page, 'Roy')
  await panel.getByRole('button', { name: /Recueillir.*Collecte de mes mesures/ }).click()
  const give = page.getByRole('dialog', { name: 'Collecte de mes mesures' })
  await give.getByLabel('Valable jusqu’au').fill('2039-01-01')
  await give.getByRole('button', { name: 'Enregistrer le consentement' }).click()
  await expect(give.getByRole('alert')).toContainText('Un consentement vaut 3 ans au plus')
  await give.getByLabel('Valable jusqu’au').fill(inDays(300))
  await give.getByRole('button', { name: 'Enregistrer le consentement' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Collecte de mes mesures' })).toContainText('Donné')
  await expect(panel.getByRole('list', { name: 'À vérifier' })).not.toContainText('Consentement')
  await panel.getByRole('button', { name: /Retirer.*Collecte/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer le consentement' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Collecte de mes mesures' })).toContainText('Retiré')

  await panel.getByRole('button', { name: 'Inviter au portail' }).click()
  await expect(saidBehind(page)).toContainText('Invitation envoyée')
  await expect(panel.getByRole('button', { name: 'Renvoyer l’invitation' })).toBeVisible()
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const names = { firstName: 'Inès', lastName: 'Roy', password: TEST_PASSWORD }
  const accepted = await request.post(`${path}/accept`, { data: names })
  const theirs = await openAs(browser, { token: (await accepted.json()).token })
  await theirs.goto('/client-portal/profile')
  const collection = theirs.getByRole('main').getByRole('listitem').filter({ hasText: 'Collecte de mes mesures' })
  await expect(collection).toContainText('Retiré')
  await collection.getByRole('button', { name: /Donner mon accord/ }).click()
  await expect(collection).toContainText('Donné le')
  await expectAccessibleAndNoOverflow(theirs)
  await collection.getByRole('button', { name: /Retirer mon accord/ }).click()
  await expect(theirs.getByRole('alertdialog')).toContainText('vous ne recevez plus d’énergie locale')
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()

  await page.goto('/clients')
  const client = page.getByRole('table', { name: 'Clients' }).locator('tbody tr').filter({ hasText: 'Roy' })
  await expect(client).toContainText(/Actif.*À jour/)
  await expectAccessibleAndNoOverflow(page)
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
