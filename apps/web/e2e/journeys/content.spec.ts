import type { Page } from '@playwright/test'
import { expect, expectAccessibleAndNoOverflow, getToast, openAs, test } from './people.ts'
import { createArticle, deleteArticle, deletePictures, uniqueTitle } from './site-desk.ts'

const SUMMARY = 'Ce qu’une toiture partagée change pour un immeuble, expliqué avec des nombres que chacun peut refaire.'
const ATTACK = '<script>window.hacked = 1</script> <img src=x onerror="window.hacked = 1">'
const BODY = `## La situation

Trois voisins, **un toit**. ${ATTACK}

:::figures
- 12 | kWc | sur le toit de l’école
:::

[Un lien](javascript:window.hacked=1)`

const body = (page: Page) => page.getByLabel('Texte en Markdown')
const preview = (page: Page) => page.getByRole('region', { name: 'Aperçu' })
const rowOf = (page: Page, title: string) =>
  page.getByRole('table', { name: 'Contenus du site' }).locator('tbody tr').filter({ hasText: title })
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer le brouillon' }).click()
const hacked = (page: Page) => page.evaluate(() => 'hacked' in window)

async function find(page: Page, title: string) {
  await page.goto('/cms-admin')
  await page.getByRole('searchbox').fill(title)
  await expect(page.getByRole('table', { name: 'Contenus du site' }).locator('tbody tr')).toHaveCount(1)
}

test('an article is written, seen beside its text, published at once, changed and taken off the site', async ({
  page,
  signedIn,
  tokens,
  request,
}) => {
  await signedIn('admin')
  const title = uniqueTitle('Essai de toiture partagée')
  const path = `/resources/actualites/${title.toLowerCase().replaceAll(' ', '-').replaceAll('é', 'e')}`
  const status = async () => (await request.get(path)).status()
  try {
    await page.goto('/cms-admin')
    await page.getByRole('button', { name: 'Nouveau contenu' }).click()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Article/ })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Article sans titre')
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('alert')).toContainText(/3\spoints à corriger/)
    await page.getByLabel('Titre', { exact: true }).fill(title)
    await expect(page.getByLabel('Adresse')).toHaveValue(path.replace('/resources/actualites/', ''))
    await page.getByLabel('Résumé').fill(SUMMARY)
    await expect(page.getByText('bonne longueur')).toBeVisible()
    await body(page).fill(BODY)
    await expect(preview(page).getByRole('heading', { name: 'La situation' })).toBeVisible()
    await expect(preview(page)).toContainText(ATTACK)
    await expect(preview(page).locator('script, img')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'À revoir' })).toBeVisible()
    expect(await hacked(page)).toBe(false)

    await body(page).press('Control+End')
    await page.getByRole('button', { name: 'Encadré' }).click()
    await page.keyboard.type('Un texte tapé dans l’encadré.')
    await expect(preview(page).getByRole('complementary')).toContainText('Un texte tapé dans l’encadré.')
    await body(page).press('Control+s')
    await expect(getToast(page)).toContainText('Brouillon enregistré')
    await expect(page).toHaveURL(/\/cms-admin\?contenu=[\w-]{36}$/)
    await expectAccessibleAndNoOverflow(page)
    expect(await status()).toBe(404)

    await page.getByRole('button', { name: 'Publier', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mettre en ligne' }).click()
    await expect(getToast(page)).toContainText('En ligne')
    await expect.poll(status).toBe(200)
    await expect(page.getByLabel('Adresse')).toHaveAttribute('readonly')
    const reader = await page.context().newPage()
    await reader.goto(path)
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(reader.getByRole('article')).toContainText(ATTACK)
    expect(await hacked(reader)).toBe(false)

    await page.getByLabel('Résumé').fill(`Nouveau. ${SUMMARY}`)
    await save(page)
    await expect(page.getByText('Modifications non publiées')).toBeVisible()
    expect(await (await request.get(path)).text()).not.toContain('Nouveau. ')
    await page.getByRole('button', { name: 'Publier les modifications' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mettre en ligne' }).click()
    const text = async () => (await request.get(path)).text()
    await expect.poll(text).toContain('Nouveau. ')

    await page.getByRole('button', { name: 'Retirer du site' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer du site' }).click()
    await expect.poll(status).toBe(404)
    await find(page, title)
    await expect(rowOf(page, title)).toContainText('Retiré')
    await page.getByRole('button', { name: `Actions pour ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Supprimer' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer le contenu' }).click()
    await expect(page.getByText('Aucun résultat')).toBeVisible()
  } finally {
    await deleteArticle({ request, token: tokens.admin }, title)
  }
})

test('the later of two editors is told, reloads, and takes up an old version', async ({
  page,
  signedIn,
  tokens,
  request,
  browser,
}) => {
  await signedIn('admin')
  const keeper = { request, token: tokens.admin }
  const title = uniqueTitle('Essai à deux mains')
  const { id } = await createArticle(keeper, title)
  try {
    const second = await openAs(browser, { token: tokens.admin })
    for (const tab of [page, second]) {
      await tab.goto(`/cms-admin?contenu=${id}`)
      await expect(body(tab)).toHaveValue(/Un premier texte/)
    }
    await body(page).fill('Le texte du premier.')
    await save(page)
    await expect(getToast(page)).toContainText('Brouillon enregistré')
    await body(second).fill('Le texte du second.')
    await save(second)
    const notice = second.getByRole('region', { name: 'Modifié entre-temps' })
    await expect(notice).toBeVisible()
    await expect(body(second)).toHaveValue('Le texte du second.')
    await expectAccessibleAndNoOverflow(second)
    await notice.getByRole('button', { name: 'Recharger' }).click()
    await second.getByRole('alertdialog').getByRole('button', { name: 'Recharger' }).click()
    await expect(body(second)).toHaveValue('Le texte du premier.')
    await expect(notice).toHaveCount(0)

    await second.getByRole('button', { name: 'Versions' }).click()
    const dialog = second.getByRole('dialog', { name: 'Versions' })
    await expect(dialog.getByRole('listitem')).toHaveCount(2)
    await dialog.getByRole('button', { name: /^Créé/ }).click()
    await expect(dialog.getByRole('region', { name: /Version n°\s1/ })).toContainText('Un premier texte.')
    await expectAccessibleAndNoOverflow(second)
    await dialog.getByRole('button', { name: 'Reprendre cette version' }).click()
    await second.getByRole('alertdialog').getByRole('button', { name: 'Reprendre cette version' }).click()
    await expect(body(second)).toHaveValue(/Un premier texte/)
    await expect(preview(second)).toContainText('Un premier texte.')
  } finally {
    await deleteArticle(keeper, title)
  }
})

test('what is written and not saved is not left without a word', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/cms-admin?kind=guide&nouveau=guide')
  await page.getByLabel('Titre', { exact: true }).fill('Un guide jamais enregistré')
  await page.getByRole('link', { name: 'Tous les contenus' }).click()
  const question = page.getByRole('alertdialog', { name: 'Quitter sans enregistrer' })
  await question.getByRole('button', { name: 'Annuler' }).click()
  await expect(page.getByLabel('Titre', { exact: true })).toHaveValue('Un guide jamais enregistré')
  await page.getByRole('link', { name: 'Réservations' }).click()
  await question.getByRole('button', { name: 'Annuler' }).click()
  await expect(question).toHaveCount(0)
  await page.getByRole('link', { name: 'Tous les contenus' }).click()
  await question.getByRole('button', { name: 'Quitter sans enregistrer' }).click()
  await expect(page).toHaveURL('/cms-admin?kind=guide')
  await expect(page.getByRole('button', { name: 'Guide', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a picture is sent, must be described, and a date to come is kept', async ({
  page,
  signedIn,
  tokens,
  request,
}) => {
  await signedIn('admin')
  const keeper = { request, token: tokens.admin }
  const title = uniqueTitle('Essai d’image')
  const { id } = await createArticle(keeper, title)
  const send = (name: string, buffer: Buffer) =>
    page.getByLabel('Choisir un fichier').setInputFiles({ name, mimeType: 'image/png', buffer })
  try {
    await page.goto(`/cms-admin?contenu=${id}`)
    await send('dessin.png', Buffer.from('<svg/>'))
    await expect(page.getByRole('alert')).toContainText('Image attendue au format PNG')
    await send('toit.png', Buffer.from(PIXEL, 'base64'))
    const alt = page.getByLabel('Ce que montre l’image')
    await expect(alt).toBeVisible()
    await save(page)
    await expect(alt).toHaveAttribute('aria-invalid', 'true')
    await alt.fill('Un toit au soleil')
    await save(page)
    await expect(getToast(page)).toContainText('Brouillon enregistré')
    await expectAccessibleAndNoOverflow(page)

    await page.getByRole('button', { name: 'Publier', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publier' })
    await dialog.getByLabel('À une date').check()
    await dialog.getByRole('button', { name: 'Programmer la publication' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Choisissez une date et une heure à venir.')
    await dialog.getByLabel('Date et heure').fill('2099-01-15T09:30')
    await dialog.getByRole('button', { name: 'Programmer la publication' }).click()
    await expect(page.getByText(/En ligne le 15\/01\/2099 à\s09:30/)).toBeVisible()
    await page.getByRole('button', { name: 'Annuler la publication' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler la publication' }).click()
    await expect(page.getByText('Brouillon', { exact: true })).toBeVisible()
  } finally {
    await deleteArticle(keeper, title)
    await deletePictures(keeper, 'toit.png')
  }
})
