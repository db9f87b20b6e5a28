import { expect, getToast, test } from './people.ts'

test('a template is copied, its blocks are put in another order by the keyboard, and it is chosen', async ({
  page,
  admin: _,
}) => {
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Copier Rapport mensuel d’opération pour le modifier' }).click()
  const own = 'Rapport mensuel d’opération, le nôtre'
  await page.getByRole('button', { name: `Modifier ${own}` }).click()
  const blocks = page.getByRole('list', { name: 'Blocs du rapport, dans leur ordre' }).getByRole('listitem')
  await expect(blocks.first()).toContainText('Énergie produite')
  await page.getByRole('button', { name: 'Descendre Énergie produite' }).press('Enter')
  await expect(blocks.first()).toContainText('Énergie partagée')
  await page.getByRole('button', { name: 'Enregistrer le modèle' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: `Choisir ${own}` }).click()
  await expect(page.getByRole('heading', { level: 2, name: own })).toBeVisible()
})

test('a report that was made shows the figures it was made from, and a schedule is changed', async ({
  page,
  signedIn,
}) => {
  await signedIn('admin')
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Choisir Rapport mensuel d’opération' }).first().click()
  await page.getByRole('button', { name: 'Établir le rapport' }).click()
  await expect(getToast(page)).toContainText('établi')
  await page.goto('/reports?tab=etablis')
  await page
    .getByRole('button', { name: /^Chiffres de/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Chiffres du rapport' })
  await expect(dialog.getByText('Énergie produite')).toBeVisible()
  await expect(dialog.getByRole('table').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Choisir Rapport mensuel d’opération' }).first().click()
  await page.getByRole('button', { name: 'Programmer l’envoi' }).click()
  const plan = page.getByRole('dialog', { name: 'Programmer l’envoi' })
  await plan.getByRole('checkbox').first().check()
  await plan.getByRole('button', { name: 'Programmer l’envoi' }).click()
  await expect(plan).toBeHidden()
  await page.goto('/reports?tab=envois')
  await page
    .getByRole('button', { name: /^Modifier l’envoi/ })
    .first()
    .click()
  const edit = page.getByRole('dialog', { name: 'Modifier l’envoi' })
  await edit.getByLabel('Chaque mois').selectOption({ label: 'le 17' })
  await edit.getByRole('button', { name: 'Enregistrer l’envoi' }).click()
  await expect(page.getByText('Le 17 de chaque mois').first()).toBeVisible()
})

test('the preview is the paper at its own address, and a refusal is told in the page', async ({ page, signedIn }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true }))
  await signedIn('admin')
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Choisir Rapport mensuel d’opération' }).first().click()
  await page.getByRole('button', { name: 'Voir l’aperçu' }).click()
  const frame = page.getByTitle('Aperçu du document')
  await expect(frame).toBeVisible()
  const address = (await frame.getAttribute('src')) ?? ''
  expect(await page.getByRole('link', { name: 'Ouvrir dans un onglet' }).getAttribute('href')).toBe(address)
  const paper = await page.request.get(address)
  expect([paper.status(), paper.headers()['content-type']]).toEqual([200, 'application/pdf'])
  expect((await paper.body()).subarray(0, 5).toString()).toBe('%PDF-')
  const detail = 'Ce rapport vous est fermé.'
  const told = {
    type: 'about:blank',
    title: 'Refus',
    status: 403,
    code: 'forbidden',
    detail,
    message: detail,
    requestId: '',
  }
  await page.route('**/api/reports/preview?*', (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(told) }),
  )
  await page.getByLabel('Mois').selectOption({ index: 2 })
  await page.getByRole('button', { name: 'Voir l’aperçu' }).click()
  await expect(page.getByText(detail)).toBeVisible()
  await expect(page.getByTitle('Aperçu du document')).toBeHidden()
})

test('where a browser shows no PDF in a page, the preview says so and leads to it', async ({ page, signedIn }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false }))
  await signedIn('admin')
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Choisir Rapport mensuel d’opération' }).first().click()
  await page.getByRole('button', { name: 'Voir l’aperçu' }).click()
  await expect(page.getByText('Ce navigateur n’affiche pas les PDF dans une page')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ouvrir dans un onglet' })).toBeVisible()
})
