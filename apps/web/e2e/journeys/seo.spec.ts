import type { Page } from '@playwright/test'
import { expect, expectAccessibleAndNoOverflow, getToast, test } from './people.ts'
import { createArticle, deleteArticle, uniqueTitle } from './site-desk.ts'

const rows = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody tr')
const BODY = `## Partager un toit

Une toiture partagée alimente d’abord les voisins qui consomment au même moment. Le reste part au réseau, compté à part.

## Compter juste

Chaque quart d’heure, la production est répartie selon une clé. La somme des parts ne dépasse jamais ce qui est produit.`

test('a page gets another title: served at once, and after a click inside the site', async ({
  page,
  signedIn,
  tokens,
  request,
}) => {
  await signedIn('admin')
  const keeper = { request, token: tokens.admin }
  const title = uniqueTitle('Essai de référencement')
  const { path } = await createArticle(keeper, title, { body: BODY, publish: true })
  const wanted = `${title}, vu par les moteurs`
  const html = async () => (await request.get(path)).text()
  try {
    await page.goto('/admin/seo')
    await page.getByRole('searchbox').fill(title)
    await expect(rows(page, 'Pages du site')).toHaveCount(1)
    await page.getByRole('button', { name: `Modifier ${path}` }).click()
    const dialog = page.getByRole('dialog', { name: path })
    await dialog.getByRole('button', { name: 'Proposer d’après la page' }).click()
    await expect(dialog.getByRole('button', { name: /^Reprendre la proposition/ })).toHaveCount(3)
    await expectAccessibleAndNoOverflow(page)
    await dialog.getByRole('button', { name: 'Reprendre la proposition 1' }).click()
    await expect(dialog.getByRole('textbox', { name: /^Titre/ })).not.toHaveValue('')
    await expect(dialog.getByRole('list', { name: 'Mots-clés choisis' }).getByRole('listitem')).not.toHaveCount(0)
    await dialog.getByRole('textbox', { name: /^Mots-clés/ }).fill('toit partagé,')
    await dialog.getByRole('textbox', { name: /^Mots-clés/ }).press('Enter')
    await expect(dialog.getByRole('button', { name: 'Retirer toit partagé' })).toBeVisible()
    await dialog.getByRole('textbox', { name: /^Titre/ }).fill(wanted)
    await expect(dialog.getByRole('region', { name: 'Dans les résultats de recherche' })).toContainText('Essai de réf')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(getToast(page)).toContainText('Référencement enregistré')
    await expect.poll(html).toContain(`<title>${wanted}</title>`)
    expect(await html()).toContain('toit partagé')
    await expect(rows(page, 'Pages du site')).toContainText('Personnalisée')

    const reader = await page.context().newPage()
    await reader.goto('/resources/actualites')
    await reader.getByRole('link', { name: title }).first().click()
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(reader).toHaveTitle(wanted)

    await page.getByRole('button', { name: `Modifier ${path}` }).click()
    await dialog.getByRole('button', { name: 'Revenir à l’original' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revenir à l’original' }).click()
    await expect.poll(html).not.toContain(wanted)
    await expect(rows(page, 'Pages du site')).toContainText('D’origine')
  } finally {
    const headers = { authorization: `Bearer ${tokens.admin}` }
    await request.delete(`/api/seo/records?path=${encodeURIComponent(path)}`, { headers })
    await deleteArticle(keeper, title)
  }
})

test('an address that moved leads to the page, and a page is never hidden', async ({ page, signedIn, request }) => {
  await signedIn('admin')
  const from = `/${uniqueTitle('ancienne page').replaceAll(' ', '-')}`
  const visit = () => request.get(from, { maxRedirects: 0 })
  await page.goto('/admin/seo-management?onglet=redirections')
  await page.getByRole('button', { name: 'Ajouter une redirection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ajouter une redirection' })
  const add = dialog.getByRole('button', { name: 'Ajouter la redirection' })
  await dialog.getByLabel('Ancienne adresse', { exact: true }).fill('/pricing')
  await dialog.getByLabel('Nouvelle adresse', { exact: true }).fill('/contact')
  await add.click()
  await expect(dialog.getByRole('alert')).toContainText('une redirection la cacherait')
  await dialog.getByLabel('Ancienne adresse', { exact: true }).fill(from)
  await dialog.getByLabel('Nouvelle adresse', { exact: true }).fill('pas un chemin')
  await add.click()
  await expect(dialog.getByLabel('Nouvelle adresse', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByLabel('Nouvelle adresse', { exact: true }).fill('/pricing')
  await add.click()
  await expect(getToast(page)).toContainText('Redirection ajoutée')
  await expect.poll(async () => (await visit()).status()).toBe(301)
  expect((await visit()).headers().location).toBe('/pricing')
  await page.getByRole('searchbox').fill(from)
  await expect(rows(page, 'Redirections')).toHaveCount(1)
  await page.getByRole('button', { name: `Supprimer la redirection de ${from}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer la redirection' }).click()
  await expect.poll(async () => (await visit()).status()).toBe(404)
  await page.getByRole('tab', { name: 'Plan du site' }).click()
  await expect(page.getByText(/\d+\spages indexées/)).toBeVisible()
})
