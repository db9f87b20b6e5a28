import { readFileSync } from 'node:fs'
import { expect, expectAccessibleAndNoOverflow, getToast, inviteAndAccept, openAs, test } from './people.ts'

test('data is chosen, seen, taken away and made again; nothing is asked for without days', async ({ page, admin }) => {
  expect(admin.email).toContain('@')
  await page.goto('/exports')
  await expect(page.getByRole('heading', { name: 'Exports de données', level: 1 })).toBeVisible()
  await page.getByLabel('Jeu de données').selectOption({ label: 'Journal d’audit' })
  await page.getByLabel('Du', { exact: true }).fill('')
  await expect(page.getByText('Choisissez des jours, dans l’ordre')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Exporter', exact: true })).toBeDisabled()
  await page.getByLabel('Du', { exact: true }).fill('01/01/2024')
  await page.getByLabel('Au (inclus)').fill('31/12/2040')
  await expect(page.getByText(/environ \d+/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Premières lignes' })).toContainText('request_id')
  await page.getByText('Dictionnaire des colonnes').click()
  await expect(page.getByText('Empreinte du maillon, en hexadécimal')).toBeVisible()
  await page.getByLabel('Format').selectOption({ label: 'Parquet' })
  await page.getByRole('button', { name: 'Exporter', exact: true }).click()
  await expect(getToast(page)).toContainText('Export demandé')
  const row = page.getByRole('row', { name: /Journal d’audit/ })
  await expect(row.getByText('Prêt')).toBeVisible({ timeout: 60_000 })
  await row.hover()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: /^Télécharger/ }).click(),
  ])
  expect(
    readFileSync(await file.path())
      .subarray(0, 4)
      .toString(),
  ).toBe('PAR1')
  await expectAccessibleAndNoOverflow(page)
  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Refaire' }).click()
  await expect(page.getByRole('row', { name: /Journal d’audit/ })).toHaveCount(2)
})

test('the menu of reports leads here', async ({ page, admin }) => {
  expect(admin.email).toContain('@')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Rapports' }).click()
  await page.getByRole('menuitem', { name: 'Exports de données' }).click()
  await expect(page).toHaveURL(/\/exports$/)
})

test('a client makes a token for their home, sees it once, and takes it back', async ({ browser, request, admin }) => {
  const client = await inviteAndAccept(request, admin, { firstName: 'Léa', lastName: 'Roux', role: 'client' })
  const page = await openAs(browser, client)
  await page.goto('/client-portal/profile')
  await page.getByRole('button', { name: 'Créer un jeton' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nom').fill('Maison')
  await dialog.getByRole('button', { name: 'Créer le jeton' }).click()
  await expect(dialog.getByText('/api/own/figures')).toBeVisible()
  const token = /vsl_\d+_[\w-]+/.exec(await dialog.innerText())?.[0] ?? ''
  const read = () => page.request.get(`/api/own/days?key=${token}`, { headers: { cookie: '' } })
  expect((await read()).status()).toBe(200)
  await dialog.getByRole('button', { name: 'J’ai copié le jeton' }).click()
  await expect(page.getByText('Maison')).toBeVisible()
  await page.getByRole('button', { name: 'Révoquer Maison' }).click()
  await page.getByRole('button', { name: 'Révoquer le jeton' }).click()
  await expect(page.getByText('Aucun jeton pour l’instant.')).toBeVisible()
})
