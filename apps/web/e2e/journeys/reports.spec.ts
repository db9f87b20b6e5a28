import { expect, test } from './people.ts'

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
