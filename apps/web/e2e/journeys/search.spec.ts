import type { Page } from '@playwright/test'
import { expect, expectAccessibleAndNoOverflow, test } from './people.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Rechercher partout' })
const group = (page: Page, name: string) => palette(page).getByRole('group', { name })
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Fil d’Ariane' })
const open = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
}
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
/** One letter of the longest word is missing. */
const slip = (name: string) => {
  const word = plain(name)
    .split(/[^a-z]+/)
    .toSorted((a, b) => b.length - a.length)[0] as string // every name has a word
  return word.slice(0, 3) + word.slice(4)
}

test('somebody is found despite a slip, opens in place, and is there again without a word', async ({
  page,
  signedIn,
  tokens,
}) => {
  await signedIn('admin')
  const headers = { authorization: `Bearer ${tokens.admin}` }
  const found = await page.request.get('/api/participants?kind=person&size=1&sort=name', { headers })
  const [person] = (await found.json()).items
  await page.goto('/users')
  await open(page)
  await page.keyboard.type(slip(person.name))
  const option = group(page, 'Participants').getByRole('option', { name: person.name })
  await expect(option.first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(plain(person.name))
  await expect(palette(page).getByRole('option').first()).toContainText(person.name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/participants?participant=${person.id}`)
  await expect(page.getByRole('dialog', { name: person.name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${person.name} – Participants`))
  await page.keyboard.press('Escape')
  await open(page)
  await expect(group(page, 'Ouverts récemment').getByRole('option').first()).toContainText(person.name)
  await page.keyboard.type('inviter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Inviter un utilisateur' })).toBeVisible()
})

test('a search that fails says so, and screens are still found', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.route('**/api/search?**', (route) => route.abort())
  await page.goto('/users')
  await open(page)
  await page.keyboard.type('courbes')
  await expect(palette(page)).toContainText('La recherche n’a pas abouti. La connexion au serveur a échoué.')
  await expect(palette(page).getByRole('option', { name: 'Importer des courbes' })).toBeVisible()
})

test('the month goes along from screen to screen, and back leads through the tabs', async ({ page, signedIn }) => {
  await signedIn('admin')
  const month = /unit=month&from=2026-09-01&to=2026-10-01/
  await page.goto('/dashboard?unit=month&from=2026-09-01&to=2026-10-01')
  const link = page.getByRole('table', { name: 'Opérations sur la période' }).getByRole('link').first()
  const name = (await link.textContent()) as string // the link has words
  await link.click()
  await expect(page).toHaveURL(month)
  await expect(crumbs(page)).toContainText(name)
  await expect(page).toHaveTitle(new RegExp(`^${name} – Opération`))
  await page.getByRole('tab', { name: 'Énergie' }).click()
  await expect(page).toHaveURL(/onglet=energie&unit=month&from=2026-09-01/)
  await page.getByRole('link', { name: 'Répartition entre participants' }).click()
  await expect(page).toHaveURL(month)
  await expect(crumbs(page).getByRole('link', { name })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Énergie' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Énergie' })).toHaveAttribute('aria-selected', 'false')
  await expect(page).toHaveURL(month)
})

test('an address that leads nowhere is not found, inside the shell of whoever is signed in', async ({
  page,
  signedIn,
}) => {
  await signedIn('admin')
  for (const path of ['/dashboard/truc', '/acc-operations/a/b/c', '/nulle-part']) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, 404])
    await page.mouse.move(2, 2)
    await page.mouse.move(4, 4)
    await expect(page.getByRole('heading', { name: 'Cette page n’existe pas' })).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Menu' })).toBeVisible()
  }
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('link', { name: 'Revenir au tableau de bord' }).click()
  await expect(page).toHaveURL('/dashboard')
})
