import type { APIRequestContext, Page } from '@playwright/test'
import {
  buildBearerHeader,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  type Person,
  readMailedLink,
  signInElsewhere,
  TEST_PASSWORD,
  test,
} from './people.ts'

const TITLES = ['Votre mot de passe a été changé', 'Connexion depuis un nouvel appareil', 'Invitation acceptée']
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const list = (page: Page) => page.getByRole('main').getByRole('listitem')
const item = (page: Page, title: string) => list(page).filter({ has: page.getByRole('heading', { name: title }) })

/** What really happens to an account: somebody joins, a new device signs in, the password changes. */
async function live(request: APIRequestContext, admin: Person) {
  await inviteAndAccept(request, admin, { firstName: 'Lina', lastName: 'Costa', role: 'client' })
  await signInElsewhere(request, admin, 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0')
  const data = { current: TEST_PASSWORD, password: 'le verger derrière la maison' }
  const answer = await request.post('/api/auth/password', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
}

test('the bell counts, shows the latest and marks them read', async ({ page, admin, request }) => {
  await page.goto('/dashboard')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await bell(page).click()
  await expect(panel(page)).toContainText('Vous n’avez aucune notification.')
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Escape')
  await expect(bell(page)).toBeFocused()

  await live(request, admin)
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName(/^Notifications, 3\snon lues$/)
  await expect(page.getByRole('link', { name: /3\snotifications non lues/ })).toBeVisible()
  await bell(page).click()
  await expect(panel(page).getByRole('listitem')).toHaveText(TITLES.map((title) => new RegExp(title)))
  await expectAccessibleAndNoOverflow(page)
  const device = panel(page).getByRole('listitem').filter({ hasText: 'nouvel appareil' })
  await expect(device).toContainText('Firefox sur Windows')
  await device.getByRole('button', { name: 'Marquer comme lue' }).click()
  await expect(device.getByRole('button', { name: 'Marquer comme lue' })).toHaveCount(0)
  await expect(bell(page)).toHaveAccessibleName(/2\snon lues$/)
  await panel(page).getByRole('link', { name: 'Voir les utilisateurs' }).click()
  await expect(page).toHaveURL('/users')
  await expect(bell(page)).toHaveAccessibleName(/1\snon lue$/)
  await bell(page).click()
  await panel(page).getByRole('button', { name: 'Tout marquer comme lu' }).click()
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await panel(page).getByRole('link', { name: 'Voir toutes les notifications' }).click()
  await expect(page).toHaveURL('/notifications')
  await expect(page.getByText('Vous avez tout lu.')).toBeVisible()
})

test('the badge stops counting at 99', async ({ page, signedIn }) => {
  await signedIn('admin')
  await page.route('**/api/notifications/unread-count', (route) => route.fulfill({ json: { unreadCount: 120 } }))
  await page.goto('/dashboard')
  await expect(bell(page)).toContainText('99+')
  await expect(bell(page)).toHaveAccessibleName(/120\snon lues$/)
})

test('read, archive, delete: one by one and all at once', async ({ page, admin, request }) => {
  await live(request, admin)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /3\snotifications non lues/ }).click()
  await expect(page).toHaveURL('/notifications?view=unread')
  await expect(list(page)).toHaveCount(3)
  await expectAccessibleAndNoOverflow(page)
  await item(page, 'Invitation acceptée').getByRole('button', { name: 'Marquer comme lue' }).click()
  await expect(list(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Toutes' }).click()
  await expect(list(page)).toHaveCount(3)

  await page.getByLabel('Catégorie').selectOption('Compte')
  await expect(page).toHaveURL('/notifications?category=account')
  await expect(list(page)).toHaveCount(1)
  await page.getByLabel('Catégorie').selectOption('Facturation')
  await expect(page.getByText('Aucune notification ne correspond')).toBeVisible()
  await page.getByRole('button', { name: 'Effacer les filtres' }).click()
  await page.getByRole('searchbox').fill('mot de passe a ete')
  await expect(list(page)).toHaveCount(1)
  await page.getByRole('searchbox').fill('')
  await expect(list(page)).toHaveCount(3)

  await item(page, TITLES[1] ?? '')
    .getByRole('button', { name: 'Archiver' })
    .click()
  await expect(getToast(page)).toContainText('Notification archivée')
  await expect(list(page)).toHaveCount(2)
  await item(page, TITLES[0] ?? '')
    .getByRole('button', { name: 'Supprimer' })
    .click()
  await expect(page.getByRole('alertdialog')).toContainText('sera effacée définitivement')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer la notification' }).click()
  await expect(getToast(page)).toContainText('Notification supprimée')
  await expect(list(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Archiver', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Les notifications lues' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archiver les notifications lues' }).click()
  await expect(getToast(page)).toContainText(/1\snotification archivée/)
  await expect(page.getByText('Tout est calme')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Archivées' }).click()
  await expect(list(page)).toHaveCount(2)
  await expect(list(page).getByRole('button', { name: 'Archiver' })).toHaveCount(0)
})

test('older ones are counted before they are archived', async ({ page, admin, request }) => {
  await live(request, admin)
  await page.goto('/notifications')
  await expect(list(page)).toHaveCount(3)
  const open = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Archiver', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Les anciennes notifications…' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: 'Archiver les anciennes notifications' })
  const days = dialog.getByLabel('Plus anciennes que (jours)')
  await expect(days).toHaveValue('30')
  await expect(dialog.getByRole('status')).toHaveText(/Aucune notification n’a plus de 30\sjours\./)
  await expect(dialog.getByRole('button', { name: 'Archiver' })).toBeDisabled()
  await days.fill('0')
  await expect(days).toHaveAccessibleDescription(/entre 1 et 3\s650/)
  await expectAccessibleAndNoOverflow(page)
  await page.keyboard.press('Escape')

  const preview = { count: 2, unread: 1, oldest: '2026-01-05T08:00:00Z', newest: '2026-02-07T08:00:00Z' }
  await page.route('**/api/notifications/archive-preview', (route) =>
    route.fulfill({ json: { ...preview, days: route.request().postDataJSON().days } }),
  )
  await open()
  await days.fill('60')
  await expect(dialog.getByRole('status')).toHaveText(
    /^2\snotifications, du 05\/01\/2026 au 07\/02\/2026, dont 1\snon lue, seront archivées\.$/,
  )
  const sent = page.waitForRequest('**/api/notifications/archive-old')
  await dialog.getByRole('button', { name: /^Archiver 2\snotifications$/ }).click()
  expect((await sent).postDataJSON()).toEqual({ days: 60 })
  await expect(dialog).toHaveCount(0)
  await expect(getToast(page)).toContainText(/0\snotification archivée/)
})

test('only what may be dismissed can be deleted', async ({ page, admin, request }) => {
  await live(request, admin)
  await page.route('**/api/notifications?*', async (route) => {
    const answer = await (await route.fetch()).json()
    for (const one of answer.notifications) one.isDismissible = one.category !== 'security'
    await route.fulfill({ json: answer })
  })
  await page.goto('/dashboard/notifications')
  await expect(list(page)).toHaveCount(3)
  await expect(item(page, 'Invitation acceptée').getByRole('button', { name: 'Supprimer' })).toBeVisible()
  await expect(item(page, TITLES[0] ?? '').getByRole('button', { name: 'Supprimer' })).toHaveCount(0)
})

test('preferences are kept, silence what they say and nothing else', async ({ page, admin, request }) => {
  await page.goto('/notifications')
  await page.getByRole('tab', { name: 'Préférences' }).click()
  await expect(page).toHaveURL('/notifications?tab=preferences')
  await expect(page.getByRole('switch', { name: 'Sécurité, Dans l’application' })).toBeDisabled()
  const account = page.getByRole('switch', { name: 'Compte, Dans l’application' })
  await expect(account).toBeChecked()
  await expectAccessibleAndNoOverflow(page)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
  await account.click()
  await saved
  await expect(account).not.toBeChecked()
  await page.reload()
  await expect(account).not.toBeChecked()
  await live(request, admin)
  await page.getByRole('tab', { name: 'Liste' }).click()
  await expect(page.getByRole('tab', { name: 'Liste' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).not.toHaveURL(/tab=preferences/)
  await page.reload()
  await expect(list(page)).toHaveCount(2)
  await readMailedLink(request, admin.email, /Votre mot de passe a été changé/)

  await page.route('**/api/notifications/preferences', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.fallback(),
  )
  await page.getByRole('tab', { name: 'Préférences' }).click()
  await account.click()
  await expect(getToast(page)).toContainText('La préférence n’a pas été enregistrée')
  await expect(account).not.toBeChecked()
})

test('the portal has its own list', async ({ browser, admin, request }) => {
  const member = await inviteAndAccept(request, admin, { firstName: 'Noé', lastName: 'Weber', role: 'client' })
  await signInElsewhere(request, member, 'Mozilla/5.0 (Macintosh; Mac OS X) Version/18 Safari/605')
  const page = await openAs(browser, member)
  await page.goto('/client-portal')
  await page.getByRole('link', { name: /2\smessages non lus/ }).click()
  await expect(page).toHaveURL('/client-portal/notifications')
  await expect(page.getByText('2 notifications vous attendent.')).toBeVisible()
  await expect(item(page, 'Bienvenue dans votre espace')).toBeVisible()
  await expect(item(page, 'Connexion depuis un nouvel appareil')).toContainText('Safari sur macOS')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Tout marquer comme lu' }).click()
  await expect(page.getByText(/Vous êtes à jour\s: tout est lu\./)).toBeVisible()
  await item(page, 'Connexion depuis un nouvel appareil').getByRole('link', { name: 'Voir mon profil' }).click()
  await expect(page).toHaveURL('/client-portal/profile')
})
