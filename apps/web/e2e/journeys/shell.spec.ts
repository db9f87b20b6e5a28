import type { Page } from '@playwright/test'
import about from '../../package.json' with { type: 'json' }
import { DEMO_EMAILS, DEMO_PASSWORD, navigateInPage, waitUntilIdle } from '../fixtures.ts'
import {
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  register,
  setSessionToken,
  signInElsewhere,
  test,
} from './people.ts'

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Menu' })
const width = async (page: Page) => (await sidebar(page).boundingBox())?.width
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

test('the sidebar: sections, active items, both widths, kept after a reload', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/dashboard')
  const nav = sidebar(page).getByRole('navigation', { name: 'Navigation principale' })
  await expect(nav.getByRole('button', { name: 'Opérations' })).toHaveAttribute('aria-expanded', 'true')
  await expect(nav.getByRole('button', { name: 'Gestion' })).toHaveAttribute('aria-expanded', 'false')
  await expect(nav.getByRole('link', { name: 'Tableau de bord' })).toHaveAttribute('aria-current', 'page')
  await page.goto('/settings/profile')
  await expect(nav.getByRole('button', { name: 'Gestion' })).toHaveAttribute('aria-expanded', 'true')
  await expect(nav.getByRole('link', { name: 'Paramètres' })).toHaveAttribute('aria-current', 'true')
  await nav.getByRole('button', { name: 'Gestion' }).click()
  await expect(nav.getByRole('link', { name: 'Paramètres' })).toHaveCount(0)
  await expect(sidebar(page)).toContainText(`Version ${about.version}`)
  await expect(sidebar(page)).toContainText('© 2024')

  await expect.poll(() => width(page)).toBe(256)
  await page.getByRole('button', { name: 'Réduire le menu' }).click()
  await expect.poll(() => width(page)).toBe(64)
  await expect(nav.getByRole('link', { name: 'Utilisateurs' })).toBeVisible()
  await nav.getByRole('link', { name: 'Utilisateurs' }).focus()
  await expect(page.getByRole('tooltip', { name: 'Utilisateurs' })).toBeAttached()
  await expectAccessibleAndNoOverflow(page)
  await page.reload()
  await expect.poll(() => width(page)).toBe(64)
  await page.getByRole('button', { name: 'Déployer le menu' }).click()
  await expect.poll(() => width(page)).toBe(256)
})

test('on a phone the menu slides in, keeps the keyboard and gives it back', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(sidebar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Ouvrir le menu' }).focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  for (let step = 0; step < 14; step++) {
    await page.keyboard.press('Tab')
    expect(await menu.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Ouvrir le menu' })).toBeFocused()

  await page.getByRole('button', { name: 'Aide à la navigation' }).click()
  const help = page.getByRole('dialog', { name: 'Aide à la navigation' })
  await expect(help).toContainText(/Vous êtes ici\s: Tableau de bord/)
  await expectAccessibleAndNoOverflow(page)
  await help.getByRole('button', { name: /^Ouvrir le menu/ }).click()
  await menu.getByRole('button', { name: 'Gestion' }).click()
  await menu.getByRole('link', { name: 'Utilisateurs' }).click()
  await expect(page).toHaveURL('/users')
  await expect(menu).toHaveCount(0)
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  await expect(menu).toBeVisible()
  await page.setViewportSize({ width: 1200, height: 844 })
  await expect(menu).toHaveCount(0)
})

test('Ctrl K finds a screen by a few letters, without accents', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tableau de bord')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Rechercher partout' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('parametre')
  await expect(palette.getByRole('group', { name: 'Écrans' }).getByRole('option')).toHaveText(['Paramètres'])
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings')
  await expect(palette).toHaveCount(0)
  await page.getByRole('button', { name: 'Rechercher' }).click()
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('zzzz')
  await expect(palette).toContainText('Rien ne porte ce nom.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Rechercher' })).toBeFocused()
})

test('the theme is chosen and kept, and the product stays light', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const look = () =>
    page.evaluate(() => {
      const { colorScheme, backgroundColor } = getComputedStyle(document.body)
      return `${document.documentElement.className} ${colorScheme} ${backgroundColor}`
    })
  const before = await look()
  const choose = page.getByRole('button', { name: 'Thème' })
  await choose.click()
  await expect(page.getByRole('menuitemradio')).toHaveText(['Clair', 'Sombre', 'Système'])
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('menuitemradio', { name: 'Sombre' }).click()
  expect(await look()).toBe(before)
  await page.reload()
  await choose.click()
  await expect(page.getByRole('menuitemradio', { name: 'Sombre' })).toBeChecked()
  expect(await look()).toBe(before)
})

test('one toast at a time: F8 reaches it, and it leaves by itself', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.clock.install()
  await page.goto('/logout-state-admin')
  const check = page.getByRole('button', { name: 'Vérifier maintenant' })
  await check.click()
  await check.click()
  await expect(getToast(page)).toHaveCount(1)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /^Notifications \(F8\)/ }).getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(getToast(page)).toBeFocused()
  await expect(getToast(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(getToast(page)).toHaveCount(0)
  await expect(check).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(getToast(page)).toHaveCount(1)
  await page.mouse.move(10, 400)
  await page.clock.fastForward(2000)
  await expect(getToast(page)).toHaveCount(0)
})

test('an administrator of two organisations moves between them', async ({ page }) => {
  // A session of its own: the company is the session's, and the shared one stays where it is.
  await setSessionToken(
    page,
    await signInElsewhere(page.request, { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD }),
  )
  await page.goto('/dashboard')
  const choose = page.getByRole('button', { name: /Changer d’organisation$/ })
  await expect(choose).toHaveText('Les Toits Partagés')
  await choose.click()
  await expect(page.getByRole('menuitemradio')).toHaveCount(2)
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('menuitemradio', { name: 'Atelier du Rhône' }).click()
  await expect(page.getByText('Voici ce qui se passe chez Atelier du Rhône.')).toBeVisible()
  await page.goto('/users')
  await expect(page.getByRole('table', { name: 'Utilisateurs' }).locator('tbody tr')).toHaveCount(1)
  await page.goto('/dashboard/1/user-management')
  await expect(page).toHaveURL('/dashboard/1/user-management')
  await expect(choose).toHaveText('Les Toits Partagés')
})

test('a company one has no part in does not exist, inside the shell', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.goto('/dashboard/999999')
  await expect(page.getByRole('heading', { name: 'Cette page n’existe pas' })).toBeVisible()
  await expect(sidebar(page)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('link', { name: 'Revenir au tableau de bord' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tableau de bord')
})

test('the progress bar runs on a change of page, with its own numbers', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.clock.install()
  await page.goto('/users')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Utilisateurs')
  const bar = page.locator('[style*="scaleX"]')
  await expect(bar).toHaveCount(0)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await sidebar(page)
    .getByRole('link', { name: /, tableau de bord$/ })
    .click()
  for (const [ms, shown] of [
    [0, 0],
    [50, 0.1],
    [50, 0.2],
    [100, 0.4],
    [50, 0.4],
    [50, 1],
  ]) {
    await page.clock.runFor(ms ?? 0)
    await expect(bar).toHaveAttribute('style', `transform: scaleX(${shown});`)
  }
  await page.clock.runFor(100)
  await expect(bar).toHaveCount(0)
  await page.clock.resume()
  await expect(page).toHaveURL('/dashboard')
})

test('a new company sees its trial, its account menu and its own screens', async ({ page, admin }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Essai gratuit' })).toHaveText(/Essai gratuit\s: il reste 30\sjours/)
  await expect(page.getByRole('button', { name: /Changer d’organisation/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Mon compte' }).click()
  const menu = page.getByRole('menu')
  await expect(menu).toContainText(admin.email)
  await expect(menu.getByRole('menuitem')).toHaveText(['Profil', 'Paramètres', 'Déconnexion'])
  await expectAccessibleAndNoOverflow(page)
  await menu.getByRole('menuitem', { name: 'Paramètres' }).click()
  await expect(page).toHaveURL('/settings')
})

test('the keyboard alone goes from sign-in to an invitation', async ({ page, request }) => {
  const person = await register(request)
  await confirmAddress(request, person)
  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      if (name.test(await focusedName(page))) return page.keyboard.press('Enter')
    }
    throw new Error(`Tab never reaches ${name}`)
  }
  await page.goto('/login')
  await page.getByLabel('Adresse e-mail').focus()
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Aller au contenu' })).toBeFocused()
  await tabTo(/^Gestion$/)
  await tabTo(/^Utilisateurs$/)
  await expect(page).toHaveURL('/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Utilisateurs' })).toBeFocused()
  await tabTo(/^Inviter$/)
  await expect(page.getByRole('dialog').getByLabel('Adresse e-mail')).toBeFocused()
  await page.keyboard.type(`clavier-${person.email}`)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Yves')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Le Goff')
  await page.keyboard.press('Enter')
  await expect(getToast(page)).toContainText('Invitation envoyée')
  await expect(page.getByRole('button', { name: 'Inviter', exact: true })).toBeFocused()
  await tabTo(/^Actions$/)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedName(page)).toBe('Actions')
})

test('a screen that cannot be sent any more is told of in its place, and comes when it can', async ({
  page,
  context,
  admin,
}) => {
  expect(admin.token).not.toBe('')
  await page.goto('/dashboard')
  await waitUntilIdle(page)
  await context.setOffline(true)
  await navigateInPage(page, '/admin/webhooks')
  await expect(page.getByRole('alert').getByRole('heading', { name: 'Cet écran n’a pas pu s’afficher' })).toBeVisible()
  await expect(page.getByRole('banner').first()).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
})
